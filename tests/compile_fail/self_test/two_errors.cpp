// SPDX-License-Identifier: BSL-1.0
// expect: the first
// errors: 1
static_assert(false, "the first");
static_assert(false, "the second");
