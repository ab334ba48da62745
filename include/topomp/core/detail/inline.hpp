// SPDX-License-Identifier: BSL-1.0
/// @file
/// How the definitions in the folders `impl` are compiled: with each file that includes topomp, or once.
#pragma once

/// The specifier of the definition of a function that is no template. Programs that link `topomp::compiled`
/// have `TOPOMP_COMPILED` defined: then the definitions are compiled with that library alone. Virtual
/// functions have it at their declaration too, so that a header-only program contains no virtual table of an
/// unused class. What runs once, or only if there is an error, is also `[[gnu::cold]]`: compiled for size, it
/// takes less time.
#ifdef TOPOMP_COMPILED
#define TOPOMP_INLINE
#else
#define TOPOMP_INLINE inline
#endif
