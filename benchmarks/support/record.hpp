// SPDX-License-Identifier: BSL-1.0
/// @file
/// Arguments of benchmarks, and what raw samples say about where they come from.
#pragma once

#include "agreed_start.hpp"
#include <topomp/version.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace topo_bench {

inline std::string json_text(std::string_view text) {
    std::string out = "\"";
    for (const char c : text.substr(0, text.find('\n'))) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
    return out + '"';
}

struct arguments {
    int repetitions;
    std::string output;
    std::string notes; ///< as JSON members
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
    arguments given{is_simulated ? 1 : repetitions, {}, {}}; // a simulation repeats itself exactly
    const std::string program = argc > 0 ? argv[0] : "benchmark";
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
            given.notes +=
                ',' + json_text(value.substr(0, equals)) + ':' + json_text(value.substr(equals + 1));
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

/// The MPI, the compiler and topomp's version as JSON members.
inline std::string provenance() {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(library, &length);
    return R"("mpi":)" + json_text(is_simulated ? "SimGrid SMPI" : library) + R"(,"compiler":)" +
           json_text(__VERSION__) + R"(,"topomp":)" + json_text(topo::version);
}

} // namespace topo_bench
