// SPDX-License-Identifier: BSL-1.0
/// @file
/// Nothing: a library has to be linked from a source file, and this one is linked from renamed archives.
