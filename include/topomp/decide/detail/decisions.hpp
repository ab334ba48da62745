// SPDX-License-Identifier: BSL-1.0
/// @file
/// The decisions for one hierarchy, kept from call to call.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

namespace topo::detail {

/// Lengths between which `decide` is not asked anew: four classes for each power of two, of `many_ranks` one.
struct length_class {
    static constexpr std::size_t count = 4 * (sizeof(std::size_t) * 8 - 1);

    static constexpr std::size_t of(std::size_t bytes) {
        if (bytes < 8) return bytes;
        const auto power = static_cast<std::size_t>(std::bit_width(bytes)) - 1;
        return 4 * (power - 1) + (bytes >> (power - 2)) % 4;
    }
    /// The shortest length of a class.
    static constexpr std::size_t least(std::size_t one) {
        return one < 8 ? one : (4 + one % 4) << (one / 4 - 1);
    }
};

/// What `automatic` decides for the calls of one hierarchy. The first call finds out what the key needs, and
/// each class of lengths is decided once.
class decisions {
public:
    /// @collective over the whole the first time @cost then that of `oversubscription::of`, two all-reduces
    /// of a few integers, and a broadcast of the tuning file if TOPOMP_TUNING names one
    static decisions& of(const hierarchy& levels);

    explicit decisions(const hierarchy& levels);

    /// The key of a call.
    call_key key_of(verb what, std::size_t bytes, bool is_commutative) const {
        call_key now = common_;
        now.what = what;
        now.bytes = bytes;
        now.is_commutative = is_commutative;
        return now;
    }
    /// The costs by which this hierarchy decides: those that were loaded last, else those of the environment.
    const cost_sources& sources() const;

    /// @cost a look-up, if a call of that class was decided before
    const plan& of(verb what, std::size_t bytes, bool is_commutative);

private:
    using classes = std::array<const plan*, length_class::count>;

    call_key common_;
    cost_sources from_environment_;
    unsigned loads_ = 0; ///< of which the decisions are
    std::array<std::unique_ptr<classes>, 2 * verb_names.size()> decided_;
    std::deque<plan> plans_;
};

/// The costs that the program loaded for all hierarchies, and how often it has.
struct loaded_sources {
    cost_sources sources;
    unsigned loads = 0;

    void replace(cost_sources by);
    static loaded_sources& now();
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/decisions.ipp>
#endif
