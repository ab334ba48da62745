// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm serves an intercepted call.
#pragma once

#include "reason.hpp"
#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace topo::preload {

/// A policy that is known at run time only.
class chooser {
public:
    /// What `automatic` chooses.
    chooser() = default;

    /// Reads `automatic`, or a policy as `read_plan`.
    /// @param tuning TOPOMP_TUNING: with `adaptive`, `automatic` learns from the program's calls
    /// @throws argument_error naming what is accepted
    static chooser read(const std::string& text, const std::string& tuning);

    bool is_automatic() const noexcept { return is_automatic_; }
    /// Whether every call is the MPI's own.
    bool is_flat() const noexcept { return !is_automatic_ && fixed_.uses == detail::algorithm::flat; }

    /// The same on all ranks. @return `algorithm::flat`: the call is the MPI's own, for the policy chooses
    /// that or has no algorithm for it
    /// @param bytes as `call_key::bytes`, the same on all ranks
    plan choose(detail::verb what, const hierarchy& levels, std::size_t bytes,
                bool is_commutative = true) const;
    /// Why `choose` leaves a call of a verb to the MPI, where it does.
    reason why_flat(detail::verb what) const noexcept;
    /// Whether calls are timed.
    bool learns() const noexcept { return learns_ && is_automatic_; }
    /// The call for which the calling thread chose last is over.
    static void end_call() noexcept;

    /// The same for a non-blocking form of operations that commute. Local
    /// @param ranks those that nothing but non-blocking calls use, after `prepare` @param root 0 where there
    /// is none
    plan choose_in_background(detail::verb what, const hierarchy& levels, const detail::context& ranks,
                              std::size_t bytes, int root) const;
    /// Why that leaves a call to the MPI, where it does.
    reason why_flat_in_background(detail::verb what) const noexcept;
    /// Lets ranks find out now what they would have to ask for in their first non-blocking calls, which may
    /// not wait for other ranks. @collective over the whole
    void prepare(const hierarchy& levels, detail::context& ranks) const;

private:
    plan in_background(detail::verb what, const hierarchy& levels, std::size_t bytes) const;

    bool is_automatic_ = true;
    bool learns_ = false;
    plan fixed_;
};

} // namespace topo::preload
