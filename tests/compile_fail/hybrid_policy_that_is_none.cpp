// SPDX-License-Identifier: BSL-1.0
// expect: topo: a number stands where a verb has its policy
#include <topomp/hybrid/broadcast.hpp>

topo::hybrid::policy<int> misuse;
