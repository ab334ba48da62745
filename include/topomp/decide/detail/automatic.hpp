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

/// The same for a persistent form. Local. @param form a prepared one @pre `choose_automatically` was called
plan choose_prepared(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative,
                     call_form form);

/// The same for a part of a persistent form, among one rank of each node. Local. @pre as above
plan choose_among_first(verb what, const hierarchy& levels, std::size_t bytes);

/// Whether a call is the first collective of a hierarchy: the same on all ranks. Local
bool is_first_collective(const hierarchy& levels);
/// Lets such a call, which may wait, find out by what those behind it decide. @collective over the whole
/// @cost that of `decisions::meet`
void meet_at_first(const hierarchy& levels);

/// What `automatic` chooses for a form that does not wait, where all ranks know the places of all. Local
plan choose_with_places(verb what, const hierarchy& levels, std::size_t bytes, bool is_commutative);
/// The same for one that starts now: it needs no place that ranks would have to ask for. @collective as the
/// first collective of a hierarchy
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
