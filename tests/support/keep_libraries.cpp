// SPDX-License-Identifier: BSL-1.0
// Linked into programs built with the sanitizers: a leak whose library is unloaded by then has a stack
// without names, which no suppression can match. So nothing is unloaded.
#include <dlfcn.h>

extern "C" int dlclose(void* /*handle*/) noexcept { return 0; }
