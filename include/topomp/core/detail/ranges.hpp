// SPDX-License-Identifier: BSL-1.0
/// @file
/// The concepts of ranges, and what takes them apart, for headers.
#pragma once

// Not <ranges>, whose views cost every file as much as Boost.MPI's communicator: the standard libraries
// define the concepts of ranges where they define spans, which are made of them.
#include <span>
