// SPDX-License-Identifier: BSL-1.0
// Pairs are elements without Boost's header for them, whether Boost.MPI makes their datatype, the program
// names it, or the program says itself how they are serialized.
#include <topomp/collective/broadcast.hpp>
#include <topomp/core/elements.hpp>

#include <boost/mpi/datatype.hpp>
#include <boost/serialization/version.hpp>
#include <mpi.h>

#include <utility>
#include <vector>

#ifdef BOOST_SERIALIZATION_UTILITY_HPP
#error "nothing here must include Boost's header for pairs"
#endif

namespace pairs_static {

struct opaque {
    double numbers[2];
};
using named = std::pair<opaque, int>;
struct own {
    int number;
};
using by_own_function = std::pair<own, int>;

} // namespace pairs_static

template <>
struct boost::mpi::is_mpi_datatype<pairs_static::named> : boost::mpl::true_ {};
template <>
struct boost::mpi::is_mpi_datatype<pairs_static::by_own_function> : boost::mpl::true_ {};
namespace boost::mpi {
template <>
inline MPI_Datatype get_mpi_datatype<pairs_static::named>(const pairs_static::named&) {
    return MPI_BYTE;
}
} // namespace boost::mpi

namespace boost::serialization {
template <class Archive>
void serialize(Archive& archive, pairs_static::by_own_function& both, const unsigned int) {
    archive& both.first.number& both.second;
}
} // namespace boost::serialization

namespace pairs_static {

[[maybe_unused]] static void call(const topo::hierarchy& levels) {
    std::pair<int, double> made;
    topo::broadcast(levels, made, 0);
    std::vector<std::pair<long, std::pair<double, int>>> nested(3);
    topo::broadcast(levels, nested, 0);
    named by_program{};
    topo::broadcast(levels, by_program, 0);
    by_own_function special{};
    topo::broadcast(levels, special, 0);
}

} // namespace pairs_static
