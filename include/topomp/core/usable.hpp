// SPDX-License-Identifier: BSL-1.0
/// @file
/// Objects that were moved from, or that outlive MPI, say so instead of ending the program.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/core/finalize.hpp>

#include <string>
#include <string_view>

namespace topo::detail {

[[noreturn]] inline void refuse_use(bool is_there, std::string_view call, std::string_view object) {
    throw usage_error(call, object,
                      is_there ? "MPI has ended" : "it was moved from: assign another one to it first");
}

/// What every member of a type that holds communicators or memory asks first.
///
/// @param is_there not after it was moved from @param type `topo::hierarchy` @param member `whole`
/// @cost two loads @throws usage_error that names the member
inline void require_usable(bool is_there, std::string_view type, std::string_view member) {
    if (is_there && !finalize_hook::has_ended()) [[likely]]
        return;
    refuse_use(is_there, std::string{type}.append("::").append(member), type.substr(type.rfind(':') + 1));
}

} // namespace topo::detail
