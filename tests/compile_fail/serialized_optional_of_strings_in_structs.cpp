// SPDX-License-Identifier: BSL-1.0
// expect: topo: this T, which the value is or holds, cannot be serialized
#include <topomp/neighbour/sparse_exchange.hpp>

#include <boost/optional.hpp>
#include <boost/serialization/optional.hpp>

#include <map>
#include <string>

struct named {
    std::string name;
};

void misuse(const topo::hierarchy& levels, const std::map<int, boost::optional<named>>& all) {
    topo::sparse_exchange(levels, all);
}
