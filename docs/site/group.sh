#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# group.sh HEADER: the header with what it puts into namespaces in a group of Doxygen's named after the header, as Breathe shows
# groups but not what a file puts into a namespace. A group of Doxygen's does not reach into a namespace: those in topo begin it anew.
# No line moves.
group=$(echo "$1" | sed 's|.*include/topomp/||; s|[/.]|_|g')
begin="/** @addtogroup $group */ /** @{ */"
end='/** @} */'
sed -E "s%^(namespace topo[a-z_:]* \{)\$%\1 $begin%
    s%^(\} // namespace topo[a-z_:]*)\$%$end \1%
    s%^(namespace (hybrid|mpi|model) \{)\$%\1 $begin%
    s%^(\} // namespace (hybrid|mpi|model))\$%$end \1%" "$1"
