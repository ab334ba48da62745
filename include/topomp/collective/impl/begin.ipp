// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/context/context.hpp>
#include <topomp/collective/detail/begin.hpp>
#include <topomp/collective/detail/in_background.hpp>
#include <topomp/collective/detail/start.hpp>
#include <topomp/core/message.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/plan.hpp>

#include <memory>

namespace topo::detail {

template <algorithm Only, class Arguments>
request at_once::go(const hierarchy& levels, const Arguments& arguments, const char*, const plan& chosen) {
    auto kept = std::make_shared<Arguments>(arguments);
    kept->refresh(levels);
    return start_by_plan<Only>(kept->call(levels, context::of(levels)), chosen, in_background{levels, kept});
}

template <algorithm Only, class Form, class Arguments>
typename Form::result begin(const hierarchy& levels, const Arguments& arguments, const char* call,
                            const plan& chosen) {
    if (chosen.uses != algorithm::flat) {
        const auto memory = arguments.memory();
        check_host_memory(levels, call, {memory[0], memory[1]});
    }
    return Form::template go<Only>(levels, arguments, call, chosen);
}

#ifdef TOPOMP_COMPILED
/// The functions of all algorithms that serve a verb so, for `topomp::compiled`.
template <class Form, class Arguments>
constexpr auto compiled_begin() {
    return forms_of<Arguments::what, &serves_in_background>([]<algorithm Only> {
        return static_cast<typename Form::result (*)(const hierarchy&, const Arguments&, const char*,
                                                     const plan&)>(&begin<Only, Form, Arguments>);
    });
}
#endif

} // namespace topo::detail
