// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/detail/exchange_in_background.hpp>
#include <topomp/neighbour/detail/neighbour_forms.hpp>

#include <memory>
#include <span>
#include <type_traits>
#include <utility>

namespace topo::detail {

/// An exchange that `persistent::start` starts.
struct prepared_neighbours final : prepared {
    prepared_neighbours(const char* by_call, const neighbourhood& links, prepared_exchange with)
        : prepared(by_call, *with.among), exchange(with.operation.get()), alive(std::move(with.alive)) {
        running = std::move(with.operation);
        neighbours_in_background::compare_starts(compared, links);
    }
    void start() override { exchange->start(); }

    started_exchange* exchange;
    std::shared_ptr<const void> alive;
};

template <class Form>
typename Form::result begin_exchange(const char* call, const neighbourhood& links,
                                     std::span<const message> out, std::span<const message> in, bool is_same,
                                     bool is_equal) {
    neighbours_in_background::check(links, call, out, in, is_equal);
    prepared_exchange made = neighbours_in_background::prepare(links, call, out, in, is_same, is_equal,
                                                               std::is_same_v<Form, when_started>);
    if constexpr (std::is_same_v<Form, when_started>) {
        return when_started::of(std::make_unique<prepared_neighbours>(call, links, std::move(made)));
    } else {
        auto running = start_or_give_up(std::move(made.operation), made.among->left,
                                        [](started_exchange& one) { one.start(); });
        return in_background::of(*made.among, std::move(running), std::move(made.alive));
    }
}

#ifdef TOPOMP_COMPILED
template request begin_exchange<at_once>(const char*, const neighbourhood&, std::span<const message>,
                                         std::span<const message>, bool, bool);
template persistent begin_exchange<when_started>(const char*, const neighbourhood&, std::span<const message>,
                                                 std::span<const message>, bool, bool);
#endif

} // namespace topo::detail
