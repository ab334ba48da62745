// SPDX-License-Identifier: BSL-1.0
/// @file
/// The policy `automatic`: a plan from the key of a call.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/select.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>
#include <topomp/plan/policy.hpp>

#include <cstddef>

namespace topo::detail {

/// The parts of the key that all ranks have without communication.
call_key local_call_key(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);

/// What `automatic` chooses for a verb. @collective over the whole the first time @cost then that of
/// `decisions::of`
plan choose_automatically(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);

/// The same of plans that need no memory of nodes.
plan choose_without_memory(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);

/// The same of messages among one rank of each node. Local. @pre `choose_automatically` was called
plan choose_among_first(verb what, const hierarchy& levels, std::size_t bytes);

/// The same for a form that does not wait. Local.
plan choose_in_background(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);
/// The same for one that starts now: its tree does not depend on nodes, which ranks would have to
/// exchange first. @collective as
/// the first collective of a hierarchy
plan choose_at_once(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);

template <>
struct run_time_decision<automatic> {
    static plan of(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative) {
        return choose_automatically(what, levels, bytes, is_commutative);
    }
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/automatic.ipp>
#endif
