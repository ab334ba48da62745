// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/signature.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <boost/mpi/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::string type_name(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    mpi::check(MPI_Type_get_name(type, name, &length), "MPI_Type_get_name", "datatype");
    return {name, static_cast<std::size_t>(length)};
}

TOPOMP_INLINE signature signature::repeated(signature once, std::uint64_t times) {
    signature result;
    for (; times != 0; times /= 2) {
        if (times % 2 != 0) result = result + once;
        once = once + once;
    }
    return result;
}

TOPOMP_INLINE signature::parts::parts(MPI_Datatype type) {
    int numbers_count = 0, addresses_count = 0, types_count = 0;
    mpi::check(MPI_Type_get_envelope(type, &numbers_count, &addresses_count, &types_count, &combiner),
               "MPI_Type_get_envelope", "datatype");
    if (combiner == MPI_COMBINER_NAMED) return;
    numbers.resize(static_cast<std::size_t>(numbers_count));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(addresses_count));
    types.resize(static_cast<std::size_t>(types_count));
    mpi::check(MPI_Type_get_contents(type, numbers_count, addresses_count, types_count, numbers.data(),
                                     addresses.data(), types.data()),
               "MPI_Type_get_contents", "datatype");
}

TOPOMP_INLINE signature::parts::~parts() {
    for (MPI_Datatype& each : types)
        if (parts{each, only_combiner{}}.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&each);
}

TOPOMP_INLINE signature::parts::parts(MPI_Datatype type, only_combiner) {
    int a = 0, b = 0, c = 0;
    MPI_Type_get_envelope(type, &a, &b, &c, &combiner);
}

TOPOMP_INLINE signature signature::of_type(MPI_Datatype type) {
    const parts made_of{type};
    if (made_of.combiner == MPI_COMBINER_NAMED) return of_basic(type_name(type));
    const auto& n = made_of.numbers;
    const auto number = [&](std::size_t i) { return static_cast<std::uint64_t>(n[i]); };
    const auto sum = [&](std::size_t first, std::size_t count) {
        std::uint64_t result = 0;
        for (std::size_t i = first; i < first + count; ++i)
            result += number(i);
        return result;
    };
    switch (made_of.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED:
        return of_type(made_of.types.front());
    case MPI_COMBINER_CONTIGUOUS:
        return repeated(of_type(made_of.types.front()), number(0));
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return repeated(of_type(made_of.types.front()), number(0) * number(1));
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        return repeated(of_type(made_of.types.front()), sum(1, number(0)));
    case MPI_COMBINER_STRUCT: {
        signature all;
        for (std::size_t i = 0; i < made_of.types.size(); ++i)
            all = all + repeated(of_type(made_of.types[i]), number(1 + i));
        return all;
    }
    default: // parts of arrays: as many bytes
        return repeated(of_basic("MPI_BYTE"), size_of(type));
    }
}

} // namespace topo::detail
