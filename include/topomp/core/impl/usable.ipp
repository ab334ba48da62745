// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/finalize.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/detail/usable.hpp>
#include <topomp/core/error.hpp>

#include <string>
#include <string_view>

namespace topo::detail {

TOPOMP_INLINE void refuse_use(bool is_there, std::string_view call, std::string_view object) {
    throw usage_error(call, object,
                      is_there ? "MPI has ended" : "it was moved from: assign another one to it first");
}

TOPOMP_INLINE void require_usable(bool is_there, std::string_view type, std::string_view member) {
    if (is_there && !finalize_hook::has_ended()) [[likely]]
        return;
    refuse_use(is_there, std::string{type}.append("::").append(member), type.substr(type.rfind(':') + 1));
}

} // namespace topo::detail
