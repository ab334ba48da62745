// SPDX-License-Identifier: BSL-1.0
#include "layouts.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace topo_random {

namespace {

struct member {
    MPI_Datatype type;
    std::ptrdiff_t offset;
};

std::vector<layout>& known() {
    static std::vector<layout> all;
    return all;
}

std::size_t size_of(MPI_Datatype type) {
    int bytes = 0;
    MPI_Type_size(type, &bytes);
    return static_cast<std::size_t>(bytes);
}

/// What follows from the pieces.
layout completed(layout made) {
    for (const piece& each : made.pieces) {
        const auto end = each.offset + static_cast<std::ptrdiff_t>(each.bytes);
        made.size += each.bytes;
        made.lowest = made.pieces.data() == &each ? each.offset : std::min(made.lowest, each.offset);
        made.end = made.pieces.data() == &each ? end : std::max(made.end, end);
    }
    return made;
}

layout basic_layout(std::string name, MPI_Datatype type) {
    const std::size_t bytes = size_of(type);
    return completed({std::move(name), type, static_cast<std::ptrdiff_t>(bytes), {{0, bytes}}});
}

/// A struct of these members with these bounds.
layout struct_layout(std::string name, const std::vector<member>& members, std::ptrdiff_t lower,
                     std::ptrdiff_t extent) {
    std::vector<int> lengths(members.size(), 1);
    std::vector<MPI_Aint> offsets;
    std::vector<MPI_Datatype> types;
    layout made{std::move(name), MPI_DATATYPE_NULL, extent, {}};
    for (const member& each : members) {
        offsets.push_back(each.offset);
        types.push_back(each.type);
        made.pieces.push_back({each.offset, size_of(each.type)});
    }
    MPI_Datatype plain = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(static_cast<int>(members.size()), lengths.data(), offsets.data(), types.data(),
                           &plain);
    MPI_Type_create_resized(plain, lower, extent, &made.type);
    MPI_Type_commit(&made.type);
    MPI_Type_free(&plain);
    return completed(std::move(made));
}

/// Blocks of ints, by MPI's own constructors: lengths and positions in ints.
layout indexed_layout(std::string name, std::vector<int> lengths, std::vector<int> places) {
    layout made{std::move(name), MPI_DATATYPE_NULL, 0, {}};
    constexpr std::ptrdiff_t width = sizeof(int);
    std::ptrdiff_t lower = places.front(), upper = places.front();
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        lower = std::min<std::ptrdiff_t>(lower, places[i]);
        upper = std::max<std::ptrdiff_t>(upper, places[i] + lengths[i]);
        for (int j = 0; j < lengths[i]; ++j)
            made.pieces.push_back({(places[i] + j) * width, sizeof(int)});
    }
    made.extent = (upper - lower) * width;
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), MPI_INT, &made.type);
    MPI_Type_commit(&made.type);
    return completed(std::move(made));
}

std::vector<family> made_families() {
    const layout integer = basic_layout("int", MPI_INT);
    const layout byte = basic_layout("byte", MPI_BYTE);
    const layout real = basic_layout("double", MPI_DOUBLE);
    const auto record = [](std::string name, std::ptrdiff_t c, std::ptrdiff_t d, std::ptrdiff_t s,
                           std::ptrdiff_t lower, std::ptrdiff_t extent) {
        return struct_layout(std::move(name), {{MPI_CHAR, c}, {MPI_DOUBLE, d}, {MPI_SHORT, s}}, lower,
                             extent);
    };
    std::vector<family> all;
    const auto add = [&](std::vector<layout> layouts, const layout& basic, std::size_t basics) {
        all.push_back({std::move(layouts), basic, basics});
    };
    add({integer, struct_layout("int in 12 bytes", {{MPI_INT, 0}}, 0, 12),
         struct_layout("int in 16 bytes from -4", {{MPI_INT, 0}}, -4, 16),
         indexed_layout("int at 8", {1}, {2}), indexed_layout("int at -8", {1}, {-2})},
        integer, 1);
    add({indexed_layout("2 ints", {2}, {0}), indexed_layout("int, gap, int", {1, 1}, {0, 2}),
         indexed_layout("2 ints backwards", {1, 1}, {1, 0}),
         struct_layout("2 ints around a gap from -4", {{MPI_INT, -4}, {MPI_INT, 8}}, -4, 20)},
        integer, 2);
    add({indexed_layout("3 ints", {3}, {0}), indexed_layout("gap, int, gap, 2 ints", {1, 2}, {1, 3})},
        integer, 3);
    add({indexed_layout("100 ints in 3 blocks", {30, 40, 30}, {0, 31, 80})}, integer, 100);
    add({byte, struct_layout("byte in 3 bytes", {{MPI_BYTE, 1}}, 0, 3)}, byte, 1);
    add({real, struct_layout("double in 24 bytes", {{MPI_DOUBLE, 8}}, 0, 24)}, real, 1);
    all.push_back({{record("{char, double, short}", 0, 8, 16, 0, 24),
                    record("packed {char, double, short}", 0, 1, 9, 0, 11),
                    record("{char, double, short} from -8", -8, 0, 8, -8, 24),
                    record("{char, double, short} backwards", 10, 0, 8, 0, 16)},
                   {}});
    return all;
}

std::vector<family>& kept() {
    static std::vector<family> all;
    return all;
}

} // namespace

const std::vector<family>& families() {
    auto& all = kept();
    if (!all.empty()) return all;
    all = made_families();
    for (const family& each : all)
        for (const layout& one : each.layouts)
            known().push_back(one);
    return all;
}

const layout& layout_of(MPI_Datatype type) {
    const auto found = std::ranges::find(known(), type, &layout::type);
    if (found == known().end())
        throw std::logic_error("an operation was called with a datatype that is not the call's");
    return *found;
}

void add_layout(const layout& of) { known().push_back(of); }

void free_layouts() {
    for (family& each : kept())
        for (layout& one : each.layouts) {
            int integers = 0, addresses = 0, types = 0, combiner = 0;
            MPI_Type_get_envelope(one.type, &integers, &addresses, &types, &combiner);
            if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&one.type);
        }
    kept().clear();
    known().clear();
}

} // namespace topo_random
