// SPDX-License-Identifier: BSL-1.0
/// @file
/// CLI11, whose App has a function `exit`, which is a macro where SimGrid compiles.
#pragma once

#pragma push_macro("exit")
#undef exit
#include <CLI/CLI.hpp>
#pragma pop_macro("exit")
