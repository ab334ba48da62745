// SPDX-License-Identifier: BSL-1.0
// errors: 1
// expect: the first
static_assert(false, "the first");
static_assert(false, "the second");
