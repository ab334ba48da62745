// SPDX-License-Identifier: BSL-1.0
/// @file
/// A reference to a function object, with its type erased.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace topo::detail {

template <class Signature>
class function_ref;

/// Refers to a function object for the time of a call: so what calls it needs not be a template.
template <class Result, class... Arguments>
class function_ref<Result(Arguments...)> {
public:
    /// @param function must live as long as this
    template <class Function>
        requires(!std::is_same_v<std::remove_cvref_t<Function>, function_ref>)
    function_ref(Function&& function) // NOLINT(bugprone-forwarding-reference-overload): constrained above
        : function_(const_cast<void*>(static_cast<const volatile void*>(std::addressof(function)))),
          call_([](void* callee, Arguments... arguments) -> Result {
              return (*static_cast<std::remove_reference_t<Function>*>(callee))(
                  std::forward<Arguments>(arguments)...);
          }) {}

    Result operator()(Arguments... arguments) const {
        return call_(function_, std::forward<Arguments>(arguments)...);
    }

private:
    void* function_;
    Result (*call_)(void*, Arguments...);
};

} // namespace topo::detail
