// SPDX-License-Identifier: BSL-1.0
/// @file
/// How the definitions in the folders `impl` are compiled: with each file that includes topomp, or once.
#pragma once

/// What stands before the definition of a function that is no template. Programs that link `topomp::compiled`
/// have `TOPOMP_COMPILED` defined: then the definitions are compiled with that library alone.
/// Virtual functions have it at their declaration too, so that who uses headers only has no table of a class
/// that the program does not use.
#ifdef TOPOMP_COMPILED
#define TOPOMP_INLINE
#else
#define TOPOMP_INLINE inline
#endif
