// SPDX-License-Identifier: BSL-1.0
/// @file
/// Plans as text, for programs that choose at run time, and for output.
#pragma once

#include <topomp/plan/plan.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace topo {

/// A plan as the policy that stands for it, as it is written in a program: `binomial`,
/// `segmented<8192, two_levels<two_tree, linear>>`, `k_ary_rabenseifner<4, 256>`. A shape, or an algorithm
/// inside a level, that is the program's own has the name `own`, which cannot be read back; nor can the
/// library's algorithms inside a level with other parameters than those that the error names. Local, needs no
/// MPI.
std::string to_string(const plan& what);

/// The plan that a policy stands for, given as it is written in a program. `topo::` may stand in front of
/// each name, and `kind::` may be left out; numbers of shapes and radices are free. Shapes that two levels or
/// lanes leave out are the ones that the type leaves out. Local, needs no MPI.
///
/// The objects that a plan refers to live until the program ends; equal texts share them.
/// @param call, where the call that an exception names, and the place of the text
/// @throws argument_error naming both, the column, and the names that are valid there
plan read_plan(std::string_view call, const std::string& where, std::string_view text);

namespace detail {

/// The names that `read_plan` accepts: of policies without arguments in angle brackets, and of all others
/// with their arguments. In the order of the registry.
std::vector<std::string> known_policies();

} // namespace detail
} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/plan/impl/plan_text.ipp>
#endif
