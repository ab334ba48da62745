// SPDX-License-Identifier: BSL-1.0
// expect: include the header in <boost/serialization/...> for the container
#include <topomp/collective/serialized.hpp>

#include <map>
#include <string>

auto misuse(const topo::hierarchy& levels, const std::map<int, std::string>& value) {
    return topo::gather(levels, value, 0);
}
