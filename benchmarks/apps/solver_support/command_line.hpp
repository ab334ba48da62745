// SPDX-License-Identifier: BSL-1.0
/// @file
/// CLI11. SimGrid's compiler makes `exit` a macro, and CLI::App has a function of that name.
#pragma once

#pragma push_macro("exit")
#undef exit
#include <CLI/CLI.hpp>
#pragma pop_macro("exit")
