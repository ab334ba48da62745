// SPDX-License-Identifier: BSL-1.0
/// @file
/// Pairs as elements, also where Boost.Serialization's header for them is not included.
#pragma once

#include <boost/mpi/detail/mpi_datatype_oarchive.hpp>

#include <concepts>
#include <utility>

namespace boost::serialization {

/// The members of a pair, for the archive out of which Boost.MPI makes its datatype. Boost.MPI says of pairs
/// of elements that they are elements, but not how they are serialized; a program that names the datatype
/// itself needs no function. Less special than a function of a program's, more than that of
/// <boost/serialization/utility.hpp>.
template <class Archive, class First, class Second>
    requires std::same_as<Archive, boost::mpi::detail::mpi_datatype_oarchive>
void serialize(Archive& archive, std::pair<First, Second>& both, const unsigned int) {
    archive& both.first& both.second;
}

} // namespace boost::serialization
