// SPDX-License-Identifier: BSL-1.0
/// @file
/// What verbs need to have a tuning file read.
#pragma once

#include <topomp/decide/detail/decide.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace topo::detail {

/// How the ranks that read a file together tell each other.
struct sharing {
    int rank = 0;
    std::function<void(void*, std::size_t)> broadcast{}; ///< bytes, from rank 0
    std::function<std::int64_t(std::int64_t)> lowest{};  ///< of all ranks' values
};

/// `read_sources`, if the program has it: if it links topomp::compiled, or if a file of it includes
/// decide/tuning.hpp. Null: TOPOMP_TUNING is not read. A verb alone does not compile the reader.
using sources_reader = cost_sources (*)(const sharing& ranks, const std::string& where,
                                        const std::string& what);
inline sources_reader reader_of_sources = nullptr;

/// Writes one line to standard error, once for equal lines.
void say_once(const std::string& line);

} // namespace topo::detail
