// SPDX-License-Identifier: BSL-1.0
// expect: never said
#include <topomp/version.hpp>
