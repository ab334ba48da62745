// SPDX-License-Identifier: BSL-1.0
/// @file
/// Every collective, and sets of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace topo::detail {

/// Every collective.
enum class verb : unsigned char {
    barrier,
    broadcast,
    reduce,
    all_reduce,
    gather,
    gatherv,
    scatter,
    scatterv,
    all_gather,
    all_gatherv,
    all_to_all,
    all_to_allv,
    reduce_scatter,
    scan,
    exclusive_scan
};

inline constexpr std::array<std::string_view, 15> verb_names{
    "barrier",    "broadcast",   "reduce",         "all_reduce", "gather",
    "gatherv",    "scatter",     "scatterv",       "all_gather", "all_gatherv",
    "all_to_all", "all_to_allv", "reduce_scatter", "scan",       "exclusive_scan"};

constexpr std::string_view to_string(verb what) { return verb_names[static_cast<std::size_t>(what)]; }

/// A set of verbs.
class verbs {
public:
    constexpr verbs() = default;
    constexpr verbs(std::initializer_list<verb> members) {
        for (const verb each : members)
            bits_ |= bit(each);
    }
    static constexpr verbs all() {
        verbs made;
        made.bits_ = (1U << verb_names.size()) - 1;
        return made;
    }
    constexpr verbs without(verbs others) const {
        verbs made;
        made.bits_ = bits_ & ~others.bits_;
        return made;
    }
    constexpr bool contains(verb each) const { return (bits_ & bit(each)) != 0; }

private:
    static constexpr std::uint32_t bit(verb each) { return 1U << static_cast<unsigned>(each); }
    std::uint32_t bits_ = 0;
};

/// Whether a verb combines operands.
constexpr bool combines(verb what) {
    return what == verb::reduce || what == verb::all_reduce || what == verb::reduce_scatter ||
           what == verb::scan || what == verb::exclusive_scan;
}

constexpr bool is_scan(verb what) { return what == verb::scan || what == verb::exclusive_scan; }

/// Whether ranks may have blocks of different lengths, so that they do not know how many bytes others have.
constexpr bool has_unequal_blocks(verb what) {
    return what == verb::gatherv || what == verb::scatterv || what == verb::all_gatherv ||
           what == verb::all_to_allv;
}

/// Whether all ranks know how long the data of a call are, so that its plan may depend on that.
constexpr bool has_length(verb what) {
    return what != verb::barrier && (!has_unequal_blocks(what) || what == verb::all_gatherv);
}

static_assert(has_length(verb::all_gatherv) && !has_length(verb::gatherv) && !has_length(verb::scatterv) &&
              !has_length(verb::all_to_allv) && !has_length(verb::barrier) && has_length(verb::scan));

} // namespace topo::detail
