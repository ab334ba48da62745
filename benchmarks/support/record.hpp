// SPDX-License-Identifier: BSL-1.0
/// @file
/// Arguments of benchmarks, and what raw samples say about where they come from.
#pragma once

#include "json.hpp"

#include <cstddef>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace topo_bench {

/// A measured number in nine digits, which is more than any clock gives.
double nine_digits(double value);

struct arguments {
    std::string program;
    int repetitions;
    std::string output;
    json notes{}; ///< what every sample says besides
};

/// What stands between commas.
std::vector<std::string> words(const std::string& text);
std::vector<std::size_t> byte_counts(const std::string& text);

/// A machine's description, in which underscores stand for spaces, for smpirun cuts at spaces.
std::string machine_text(std::string text);

/// Reads [--repetitions N] [--output FILE] [--note KEY=VALUE]... and a program's own options.
/// @param own `own(option, value)` says whether it took the option; none: the program has no own options
arguments
read_arguments(int argc, char** argv, int repetitions,
               const std::function<bool(std::string_view option, const std::string& value)>& own = {});

/// Appends samples to the file that was given, one JSON object a line; none where no file was given.
class sample_file {
public:
    explicit sample_file(const arguments& given);

    /// Adds a sample, and to it what the program was given and ran on: the MPI, the compiler and topomp's
    /// version.
    void add(json sample);

private:
    json where_;
    std::string output_, program_;
    std::ofstream out_;
};

} // namespace topo_bench
