// SPDX-License-Identifier: BSL-1.0
#include "operations.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <type_traits>

namespace topo_random {

namespace {

enum known_operation {
    sum,
    product,
    largest,
    smallest,
    bit_and,
    bit_or,
    bit_xor,
    both,
    either,
    one_of,
    largest_at,
    smallest_at
};

struct named_operation {
    const char* name;
    MPI_Op op;
};
named_operation mpi_operation(int which) {
    const std::array<named_operation, 12> all{{{"MPI_SUM", MPI_SUM},
                                               {"MPI_PROD", MPI_PROD},
                                               {"MPI_MAX", MPI_MAX},
                                               {"MPI_MIN", MPI_MIN},
                                               {"MPI_BAND", MPI_BAND},
                                               {"MPI_BOR", MPI_BOR},
                                               {"MPI_BXOR", MPI_BXOR},
                                               {"MPI_LAND", MPI_LAND},
                                               {"MPI_LOR", MPI_LOR},
                                               {"MPI_LXOR", MPI_LXOR},
                                               {"MPI_MAXLOC", MPI_MAXLOC},
                                               {"MPI_MINLOC", MPI_MINLOC}}};
    return all[static_cast<std::size_t>(which)];
}

template <class T>
T get(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <class T>
void put(std::byte* to, T value) {
    std::memcpy(to, &value, sizeof value);
}

template <class T>
void combine_numbers(const std::byte* left, std::byte* right, std::size_t, int which) {
    const T a = get<T>(left), b = get<T>(right);
    T c = b;
    switch (which) {
    case sum:
        c = static_cast<T>(a + b);
        break;
    case product:
        c = static_cast<T>(a * b);
        break;
    case largest:
        c = std::max(a, b);
        break;
    case smallest:
        c = std::min(a, b);
        break;
    default:
        if constexpr (std::is_integral_v<T>) {
            switch (which) {
            case bit_and:
                c = static_cast<T>(a & b);
                break;
            case bit_or:
                c = static_cast<T>(a | b);
                break;
            case bit_xor:
                c = static_cast<T>(a ^ b);
                break;
            case both:
                c = static_cast<T>(a != 0 && b != 0);
                break;
            case either:
                c = static_cast<T>(a != 0 || b != 0);
                break;
            default:
                c = static_cast<T>((a != 0) != (b != 0));
            }
        }
    }
    put(right, c);
}

/// Small enough that no order overflows a byte or rounds.
template <class T>
void adjust_numbers(std::byte* operand, std::size_t, int which, int rank) {
    const auto random = std::to_integer<unsigned>(*operand);
    if (which == bit_and || which == bit_or || which == bit_xor) return;
    unsigned value = random;
    if (which == sum) value = random % 2;
    if (which == product) value = rank < 3 ? 1 + random % 2 : 1;
    if (which >= both) value = random % 2;
    if (which == largest || which == smallest) value = random % 127;
    put(operand, static_cast<T>(value));
}

/// A value and a place, as MPI's pairs; the lower place of equal values.
template <class T>
void combine_pairs(const std::byte* left, std::byte* right, std::size_t size, int which) {
    const T a = get<T>(left), b = get<T>(right);
    const int at = get<int>(left + sizeof(T)), bt = get<int>(right + sizeof(T));
    const bool is_left = a == b ? at < bt : which == largest_at ? a > b : a < b;
    if (is_left) std::memcpy(right, left, size);
}
template <class T>
void adjust_pairs(std::byte* operand, std::size_t, int, int rank) {
    const auto random = std::to_integer<unsigned>(*operand);
    put(operand, static_cast<T>(random % 3));
    put(operand + sizeof(T), static_cast<int>(random / 3) + 100 * (rank % 5));
}

/// Maps x -> a x + b modulo 256, two bytes each, after one another; of a byte that is left over the first
/// operand's. Whatever the bytes, this is associative, and does not commute.
void combine_maps(const std::byte* left, std::byte* right, std::size_t size, int) {
    const auto number = [](std::byte each) { return std::to_integer<unsigned>(each); };
    std::size_t i = 0;
    for (; i + 1 < size; i += 2) {
        const unsigned a = number(left[i]), b = number(left[i + 1]);
        const unsigned c = number(right[i]), d = number(right[i + 1]);
        right[i] = static_cast<std::byte>(a * c);
        right[i + 1] = static_cast<std::byte>(b * c + d);
    }
    if (i < size) right[i] = left[i];
}
/// Odd factors, so that nothing of the operands is lost.
void adjust_maps(std::byte* operand, std::size_t size, int, int) {
    for (std::size_t i = 0; i + 1 < size; i += 2)
        operand[i] |= std::byte{1};
}

/// Sums of bytes modulo 256.
void combine_sums(const std::byte* left, std::byte* right, std::size_t size, int) {
    for (std::size_t i = 0; i < size; ++i)
        right[i] =
            static_cast<std::byte>(std::to_integer<unsigned>(left[i]) + std::to_integer<unsigned>(right[i]));
}
void adjust_nothing(std::byte*, std::size_t, int, int) {}

/// What MPI calls: takes the data out of its layout, combines and puts it back, and touches nothing else.
template <auto Combine>
void apply(void* left, void* right, int* count, MPI_Datatype* type) {
    try {
        const layout& of = layout_of(*type);
        bytes a(of.size), b(of.size);
        for (int i = 0; i < *count; ++i) {
            const auto* const from = static_cast<const std::byte*>(left) + i * of.extent;
            auto* const to = static_cast<std::byte*>(right) + i * of.extent;
            std::size_t at = 0;
            for (const piece& each : of.pieces) {
                std::memcpy(a.data() + at, from + each.offset, each.bytes);
                std::memcpy(b.data() + at, to + each.offset, each.bytes);
                at += each.bytes;
            }
            Combine(a.data(), b.data(), of.size, 0);
            at = 0;
            for (const piece& each : of.pieces) {
                std::memcpy(to + each.offset, b.data() + at, each.bytes);
                at += each.bytes;
            }
        }
    } catch (const std::exception& problem) { // may not leave through MPI
        std::fprintf(stderr, "random_calls: %s\n", problem.what());
        std::abort();
    }
}

/// A type of MPI's with what its operations need.
struct number_type {
    layout of;
    int first = sum, last = one_of; ///< operations
    void (*combine)(const std::byte*, std::byte*, std::size_t, int) = nullptr;
    void (*adjust)(std::byte*, std::size_t, int, int) = nullptr;
};

template <class T>
number_type number_type_of(const char* name, MPI_Datatype type) {
    return {{name, type, sizeof(T), {{0, sizeof(T)}}, sizeof(T), 0, sizeof(T)},
            sum,
            std::is_integral_v<T> ? one_of : smallest,
            &combine_numbers<T>,
            &adjust_numbers<T>};
}
template <class T>
number_type pair_type_of(const char* name, MPI_Datatype type) {
    struct pair {
        T value;
        int place;
    };
    constexpr auto place = static_cast<std::ptrdiff_t>(offsetof(pair, place));
    return {{name,
             type,
             sizeof(pair),
             {{0, sizeof(T)}, {place, sizeof(int)}},
             sizeof(T) + sizeof(int),
             0,
             place + static_cast<std::ptrdiff_t>(sizeof(int))},
            largest_at,
            smallest_at,
            &combine_pairs<T>,
            &adjust_pairs<T>};
}

std::vector<number_type> number_types;
MPI_Op maps = MPI_OP_NULL, sums = MPI_OP_NULL;

} // namespace

void make_operations() {
    number_types = {number_type_of<int>("MPI_INT", MPI_INT),
                    number_type_of<unsigned>("MPI_UNSIGNED", MPI_UNSIGNED),
                    number_type_of<signed char>("MPI_SIGNED_CHAR", MPI_SIGNED_CHAR),
                    number_type_of<unsigned char>("MPI_UNSIGNED_CHAR", MPI_UNSIGNED_CHAR),
                    number_type_of<short>("MPI_SHORT", MPI_SHORT),
                    number_type_of<long long>("MPI_LONG_LONG", MPI_LONG_LONG),
                    number_type_of<std::uint64_t>("MPI_UINT64_T", MPI_UINT64_T),
                    number_type_of<float>("MPI_FLOAT", MPI_FLOAT),
                    number_type_of<double>("MPI_DOUBLE", MPI_DOUBLE),
                    number_type_of<double>("MPI_DOUBLE", MPI_DOUBLE),
                    pair_type_of<int>("MPI_2INT", MPI_2INT),
                    pair_type_of<double>("MPI_DOUBLE_INT", MPI_DOUBLE_INT),
                    pair_type_of<short>("MPI_SHORT_INT", MPI_SHORT_INT)};
    MPI_Op_create(&apply<&combine_maps>, 0, &maps);
    MPI_Op_create(&apply<&combine_sums>, 1, &sums);
    static_cast<void>(families());
}

void free_operations() {
    MPI_Op_free(&maps);
    MPI_Op_free(&sums);
}

operation draw_operation(topo_test::dice& roll) {
    if (roll.one_in(2)) {
        const number_type& type =
            number_types[static_cast<std::size_t>(roll.up_to(static_cast<int>(number_types.size()) - 1))];
        const int which = type.first + roll.up_to(type.last - type.first);
        const auto [name, op] = mpi_operation(which);
        return {std::string{name} + " of " + type.of.name,
                op,
                true,
                &type.of,
                type.first == largest_at,
                type.combine,
                type.adjust,
                which};
    }
    const auto& all = families();
    const auto& some = all[static_cast<std::size_t>(roll.up_to(static_cast<int>(all.size()) - 1))].layouts;
    const layout& on = some[static_cast<std::size_t>(roll.up_to(static_cast<int>(some.size()) - 1))];
    if (roll.one_in(3))
        return {"user's sum of " + on.name, sums, true, &on, false, &combine_sums, &adjust_nothing, 0};
    return {"user's maps of " + on.name, maps, false, &on, false, &combine_maps, &adjust_maps, 0};
}

} // namespace topo_random
