// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which numbers a message consists of, however they lie in memory.
#pragma once

#include <topomp/core/hash.hpp>
#include <topomp/core/message.hpp>
#include <topomp/core/mpi.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

inline std::string type_name(MPI_Datatype type) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = 0;
    mpi::check(MPI_Type_get_name(type, name, &length), "MPI_Type_get_name", "datatype");
    return {name, static_cast<std::size_t>(length)};
}

/// Whether the MPI tells what a datatype was made of. SimGrid's (3.32) tells it wrong of structs and of
/// resized types.
#ifdef SMPI_H
inline constexpr bool decodes_datatypes = false;
#else
inline constexpr bool decodes_datatypes = true;
#endif

/// A row of MPI's basic types, hashed: two datatypes have the same one if they have the same signature, which
/// is what MPI wants of the two ends of a message. A polynomial, so that the hash of a row that is repeated
/// takes few steps.
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

    static signature repeated(signature once, std::uint64_t times) {
        signature result;
        for (; times != 0; times /= 2) {
            if (times % 2 != 0) result = result + once;
            once = once + once;
        }
        return result;
    }

    /// What a datatype was made of. @see MPI standard, Decoding a Datatype
    struct parts {
        explicit parts(MPI_Datatype type) {
            int numbers_count = 0, addresses_count = 0, types_count = 0;
            mpi::check(MPI_Type_get_envelope(type, &numbers_count, &addresses_count, &types_count, &combiner),
                       "MPI_Type_get_envelope", "datatype");
            if (combiner == MPI_COMBINER_NAMED) return;
            numbers.resize(static_cast<std::size_t>(numbers_count));
            std::vector<MPI_Aint> addresses(static_cast<std::size_t>(addresses_count));
            types.resize(static_cast<std::size_t>(types_count));
            mpi::check(MPI_Type_get_contents(type, numbers_count, addresses_count, types_count,
                                             numbers.data(), addresses.data(), types.data()),
                       "MPI_Type_get_contents", "datatype");
        }
        parts(const parts&) = delete;
        parts& operator=(const parts&) = delete;
        ~parts() {
            for (MPI_Datatype& each : types)
                if (parts{each, only_combiner{}}.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&each);
        }

        int combiner = MPI_COMBINER_NAMED;
        std::vector<int> numbers;
        std::vector<MPI_Datatype> types;

    private:
        struct only_combiner {};
        parts(MPI_Datatype type, only_combiner) {
            int a = 0, b = 0, c = 0;
            MPI_Type_get_envelope(type, &a, &b, &c, &combiner);
        }
    };

    static signature of_type(MPI_Datatype type) {
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

    std::uint64_t hash_ = 0, factor_ = 1;
};

} // namespace topo::detail
