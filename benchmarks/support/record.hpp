// SPDX-License-Identifier: BSL-1.0
/// @file
/// Arguments of benchmarks, and what raw samples say about where they come from.
#pragma once

#include "agreed_start.hpp"
#include <topomp/version.hpp>

#include <mpi.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace topo_bench {

/// A JSON object whose members stay in the order in which they were written.
using record = nlohmann::ordered_json;

/// A measured number in nine digits, which is more than any clock gives.
inline double nine_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::strtod(text, nullptr);
}

struct arguments {
    std::string program;
    int repetitions;
    std::string output;
    record notes = record::object(); ///< what every sample says besides
};

/// What stands between commas.
inline std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream parts{text};
    for (std::string part; std::getline(parts, part, ',');)
        result.push_back(part);
    return result;
}

inline std::vector<std::size_t> byte_counts(const std::string& text) {
    std::vector<std::size_t> result;
    for (const auto& word : words(text))
        result.push_back(std::stoull(word));
    return result;
}

/// A machine's description, in which underscores stand for spaces, for smpirun cuts at spaces.
inline std::string machine_text(std::string text) {
    std::ranges::replace(text, '_', ' ');
    return text;
}

/// Reads [--repetitions N] [--output FILE] [--note KEY=VALUE]... and a program's own options.
/// @param own `own(option, value)` says whether it took the option
template <class Own>
arguments read_arguments(int argc, char** argv, int repetitions, Own own) {
    const std::string program = argc > 0 ? argv[0] : "benchmark";
    arguments given{program, is_simulated ? 1 : repetitions, {}}; // a simulation repeats itself exactly
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view option = argv[i];
        const std::string value = argv[i + 1];
        const auto equals = value.find('=');
        if (own(option, value)) continue;
        if (option == "--repetitions" && std::atoi(value.c_str()) > 0)
            given.repetitions = std::atoi(value.c_str());
        else if (option == "--output")
            given.output = value;
        else if (option == "--note" && equals != std::string::npos)
            given.notes[value.substr(0, equals)] = value.substr(equals + 1);
        else
            throw std::runtime_error(program + ": cannot use " + std::string{option} + ' ' + value);
    }
    if (argc % 2 != 1) throw std::runtime_error(program + ": an option lacks its value");
    return given;
}

inline arguments read_arguments(int argc, char** argv, int repetitions) {
    return read_arguments(argc, argv, repetitions,
                          [](std::string_view, const std::string&) { return false; });
}

/// The MPI, the compiler and topomp's version.
inline record provenance() {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string_view text = library;
    return {{"mpi", is_simulated ? std::string_view{"SimGrid SMPI"} : text.substr(0, text.find('\n'))},
            {"compiler", __VERSION__},
            {"topomp", topo::version}};
}

/// Appends samples to the file that was given, one JSON object a line; none where no file was given.
class sample_file {
public:
    explicit sample_file(const arguments& given)
        : where_(provenance()), output_(given.output), program_(given.program) {
        where_.update(given.notes);
        if (!output_.empty()) out_.open(output_, std::ios::app);
    }

    /// Adds a sample, and to it what the program was given and ran on.
    void add(record sample) {
        if (output_.empty()) return;
        sample.update(where_);
        out_ << sample.dump(-1, ' ', false, record::error_handler_t::replace) << '\n';
        if (!out_.flush()) throw std::runtime_error(program_ + ": cannot write " + output_);
    }

private:
    record where_;
    std::string output_, program_;
    std::ofstream out_;
};

} // namespace topo_bench
