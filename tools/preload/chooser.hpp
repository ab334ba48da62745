// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which algorithm serves an intercepted call.
#pragma once

#include <topomp/algorithm/context/team.hpp>
#include <topomp/algorithm/tree/tree_plan.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/policy/detail/selection.hpp>

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

    /// Reads `automatic`, `flat`, `native`, the name of an algorithm, or shapes such as
    /// `Machine=linear,binomial`.
    /// @throws argument_error naming what is accepted
    static chooser read(const std::string& text);

    bool is_automatic() const noexcept { return is_automatic_; }
    /// Whether every call is the MPI's own.
    bool is_flat() const noexcept { return !is_automatic_ && fixed_.how == detail::way::flat; }

    /// The same on all ranks. @return `way::flat`: the call is the MPI's own, for the policy chooses that or
    /// has no algorithm for it
    /// @param bytes as `call_key::bytes`, the same on all ranks
    detail::selection choose(detail::verb what, const hierarchy& tree, std::size_t bytes,
                             bool is_commutative = true) const;

    /// The same for a non-blocking form of operations that commute. Local
    /// @param ranks those that nothing but non-blocking calls use, after `prepare`
    detail::selection choose_in_background(detail::verb what, const hierarchy& tree,
                                           const detail::team& ranks, std::size_t bytes) const;
    /// Lets ranks find out now what they would have to ask for in their first non-blocking calls, which may
    /// wait for nobody. @collective over the whole
    void prepare(const hierarchy& tree, detail::team& ranks) const;

private:
    detail::selection in_background(detail::verb what, const hierarchy& tree, std::size_t bytes) const;

    bool is_automatic_ = true;
    detail::selection fixed_;
    /// Never destroyed, as plans and the tables that are kept for them refer to it.
    const std::vector<detail::level_rule>* rules_ = nullptr;
};

} // namespace topo::preload
