// SPDX-License-Identifier: BSL-1.0
/// @file
/// The type signature of a message, independent of its layout in memory.
#pragma once

#include <topomp/core/detail/hash.hpp>
#include <topomp/core/message.hpp>

#include <boost/mpi/config.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

std::string type_name(MPI_Datatype type);

/// Whether the MPI decodes datatypes. SimGrid's (3.32) decodes structs and resized types wrongly.
#ifdef SMPI_H
inline constexpr bool decodes_datatypes = false;
#else
inline constexpr bool decodes_datatypes = true;
#endif

/// A hash of a sequence of MPI's basic types: datatypes with the same signature have the same hash, as MPI
/// requires at the two ends of a message. A polynomial, so that the hash of a repeated sequence takes few
/// steps.
class signature {
public:
    signature() = default;
    explicit signature(const message& what) : signature(repeated(of_type(what.type), what.count)) {}

    std::uint64_t hash() const noexcept { return hash_; }

    friend signature operator+(const signature& a, const signature& b) {
        return {a.hash_ * b.factor_ + b.hash_, a.factor_ * b.factor_};
    }

private:
    signature(std::uint64_t hash, std::uint64_t factor) : hash_(hash), factor_(factor) {}

    static signature of_basic(std::string_view name) { return {hash_of(name), 0x9E3779B97F4A7C15U}; }

    static signature repeated(signature once, std::uint64_t times);

    /// What a datatype was made of. @see MPI standard, Decoding a Datatype
    struct parts {
        explicit parts(MPI_Datatype type);
        parts(const parts&) = delete;
        parts& operator=(const parts&) = delete;
        ~parts();

        int combiner = MPI_COMBINER_NAMED;
        std::vector<int> numbers;
        std::vector<MPI_Datatype> types;

    private:
        struct only_combiner {};
        parts(MPI_Datatype type, only_combiner);
    };

    static signature of_type(MPI_Datatype type);

    std::uint64_t hash_ = 0, factor_ = 1;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/signature.ipp>
#endif
