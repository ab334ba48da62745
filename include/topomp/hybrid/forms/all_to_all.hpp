// SPDX-License-Identifier: BSL-1.0
/// @file
/// Hybrid exchanges that do not wait.
#pragma once

#include <topomp/core/detail/checked.hpp>
#include <topomp/core/detail/ranges.hpp>
#include <topomp/core/elements.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/hybrid/all_to_all.hpp>
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/check_hybrid_call.hpp>
#include <topomp/hybrid/policy.hpp>
#include <topomp/hybrid/window_view.hpp>
#include <topomp/memory/shared_window.hpp>

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::detail {

void add_all_to_all(hybrid_steps& to, const exchanged_blocks& from, const exchanged_blocks& result);

/// Where the blocks of a window's ranks are, also if the window ends before the collective.
using places_of_blocks = std::vector<std::byte*>;

/// Keeps them as long as the steps.
void keep_places(hybrid_steps& steps, std::shared_ptr<const places_of_blocks> places);

/// In a checked build, in which the end of a window is found and so must do no harm: blocks that are found
/// without it.
template <class T>
exchanged_blocks lasting([[maybe_unused]] hybrid_steps& steps, const exchanged_blocks& blocks,
                         [[maybe_unused]] const shared_window<T>& window) {
    if constexpr (is_checked) {
        auto places = std::make_shared<places_of_blocks>();
        for (int rank = 0; rank < window.comm().size(); ++rank)
            places->push_back(blocks.of(blocks.window, rank));
        exchanged_blocks found{places.get(),
                               [](const void* from, int number) {
                                   const auto& all = *static_cast<const places_of_blocks*>(from);
                                   return all[static_cast<std::size_t>(number)];
                               },
                               blocks.count};
        keep_places(steps, std::move(places));
        return found;
    } else {
        return blocks;
    }
}

template <class Form, class T, policy Between = automatic>
auto hybrid_all_to_all_form(const char* call, const hierarchy& levels, const shared_window<T>& source,
                            shared_window<T>& result, const hybrid::policy<Between>& options = {}) {
    require_open(call, levels);
    const int ranks = levels.whole_size();
    const std::size_t count = source.local().size() / static_cast<std::size_t>(ranks);
    // Clang before 16 captures no structured bindings.
    const auto blocks_of_both = check_own(call, levels, [&] {
        if (MPI_Comm{source.comm()} != MPI_Comm{result.comm()} || &source == &result)
            throw argument_error(call, "source",
                                 "it must be another window than the result, over the same ranks");
        return std::pair{exchanged_blocks_of("source", source, count, ranks),
                         exchanged_blocks_of("result", result, count, ranks)};
    });
    const auto view = view_of_window(result);
    const message block{nullptr, count, view.all.type};
    check_hybrid_call<verb::all_to_all>(levels, view, bytes_of(block), true, {.call = call, .data = block},
                                        options);
    const auto add = [&](hybrid_steps& steps) {
        add_all_to_all(steps, lasting(steps, blocks_of_both.first, source),
                       lasting(steps, blocks_of_both.second, result));
    };
    return Form::watch(call, levels, begin_steps<Form>(levels, view, call, add), over_level::watch(source));
}

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hybrid/impl/all_to_all_forms.ipp>
#endif
