// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a call that must fail says.
#pragma once

#include <string>

namespace topo_test {

/// The message of the `Error` that a call throws; a sentence that no message equals if it throws nothing. Any
/// other exception passes through and fails the test case.
template <class Error, class Call>
std::string complaint(Call call) {
    try {
        call();
    } catch (const Error& error) {
        return error.what();
    }
    return "nothing was thrown";
}

} // namespace topo_test
