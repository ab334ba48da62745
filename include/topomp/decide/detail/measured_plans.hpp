// SPDX-License-Identifier: BSL-1.0
/// @file
/// Times of plans that were measured.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/plan/plan.hpp>

#include <vector>

namespace topo::detail {

/// What `decide` reads out of a tuning file. Verbs need no more of it, so that programs that use no file need
/// not compile its reader.
class measured_plans {
public:
    struct time {
        const plan* what = nullptr; ///< of this object
        double seconds = 0;
    };

    measured_plans() = default;
    measured_plans(const measured_plans&) = default;
    measured_plans(measured_plans&&) = default;
    measured_plans& operator=(const measured_plans&) = default;
    measured_plans& operator=(measured_plans&&) = default;
    virtual ~measured_plans() = default;

    /// What each plan takes for a key; empty if nothing like it was measured.
    virtual std::vector<time> times_of(const call_key& now) const = 0;
};

} // namespace topo::detail
