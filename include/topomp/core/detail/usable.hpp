// SPDX-License-Identifier: BSL-1.0
/// @file
/// Objects that were moved from, or that outlive MPI, throw instead of ending the program.
#pragma once

#include <topomp/core/error.hpp>

#include <string_view>

namespace topo::detail {

[[noreturn]] void refuse_use(bool is_there, std::string_view call, std::string_view object);

/// The first check of every member of a type that holds communicators or memory.
///
/// @param is_there not after it was moved from @param type `topo::hierarchy` @param member `whole`
/// @cost two loads @throws usage_error that names the member
void require_usable(bool is_there, std::string_view type, std::string_view member);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/core/impl/usable.ipp>
#endif
