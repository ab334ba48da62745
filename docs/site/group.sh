#!/bin/sh
# SPDX-License-Identifier: BSL-1.0
# group.sh HEADER: the header with what it puts into the namespace in a group of Doxygen's named after the header, as Breathe
# shows groups but not what a file puts into a namespace. No line moves.
group=$(echo "$1" | sed 's|.*include/topomp/||; s|[/.]|_|g')
sed -E "s|^(namespace topo[a-z_:]* \{)\$|\1 /** @addtogroup $group */ /** @{ */|
    s|^(\} // namespace topo[a-z_:]*)\$|/** @} */ \1|" "$1"
