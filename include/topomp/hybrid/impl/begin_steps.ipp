// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/impl/persistent_begin.ipp> // of `as_step`
#include <topomp/hybrid/detail/begin_steps.hpp>
#include <topomp/hybrid/detail/hybrid_steps.hpp>

#include <memory>
#include <type_traits>
#include <utility>

namespace topo::detail {

template <class Form>
typename Form::result begin_steps(const hierarchy& levels, const window_view& view, const char* call,
                                  function_ref<void(hybrid_steps&)> add) {
    const in_flight::turn alone{in_flight::of(levels)};
    const auto make = [&] {
        auto made = std::make_unique<hybrid_steps>(levels, view, call);
        add(*made);
        made->close();
        return made;
    };
    if constexpr (std::is_same_v<Form, when_started>) {
        return when_started::watch(call, levels, when_started::of(make()), view.watched);
    } else {
        const context::for_one_collective now;
        const std::shared_ptr<hybrid_steps> kept{make()};
        kept->start();
        request made = in_background::of(kept->among, std::move(kept->running), kept);
        at_once::watch_in(call, levels, made, view.watched);
        return made;
    }
}

#ifdef TOPOMP_COMPILED
template request begin_steps<at_once>(const hierarchy&, const window_view&, const char*,
                                      function_ref<void(hybrid_steps&)>);
template persistent begin_steps<when_started>(const hierarchy&, const window_view&, const char*,
                                              function_ref<void(hybrid_steps&)>);
#endif

} // namespace topo::detail
