// SPDX-License-Identifier: BSL-1.0
#include "record.hpp"

#include "agreed_start.hpp"
#include <topomp/version.hpp>

#include <mpi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <system_error>

namespace topo_bench {

double nine_digits(double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.9g", value);
    return std::strtod(text, nullptr);
}

std::vector<std::string> words(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream parts{text};
    for (std::string part; std::getline(parts, part, ',');)
        result.push_back(part);
    return result;
}

std::vector<std::size_t> byte_counts(const std::string& text) {
    std::vector<std::size_t> result;
    for (const auto& word : words(text)) {
        std::size_t number = 0;
        const auto [end, problem] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (problem != std::errc{} || end != word.data() + word.size())
            throw std::runtime_error("numbers such as 8,512 are wanted, not " + text);
        result.push_back(number);
    }
    return result;
}

std::string machine_text(std::string text) {
    std::ranges::replace(text, '_', ' ');
    return text;
}

arguments read_arguments(int argc, char** argv, int repetitions,
                         const std::function<bool(std::string_view, const std::string&)>& own) {
    const std::string program = argc > 0 ? argv[0] : "benchmark";
    arguments given{program, is_simulated ? 1 : repetitions, {}}; // a simulation repeats itself exactly
    for (int i = 1; i + 1 < argc; i += 2) {
        const std::string_view name = argv[i];
        const std::string value = argv[i + 1];
        const auto equals = value.find('=');
        if (own && own(name, value)) continue;
        if (name == "--repetitions" && std::atoi(value.c_str()) > 0)
            given.repetitions = std::atoi(value.c_str());
        else if (name == "--output")
            given.output = value;
        else if (name == "--note" && equals != std::string::npos)
            given.notes.set(value.substr(0, equals), value.substr(equals + 1));
        else
            throw std::runtime_error("cannot use " + std::string{name} + ' ' + value);
    }
    if (argc % 2 != 1) throw std::runtime_error(argv[argc - 1] + std::string{": an option lacks its value"});
    return given;
}

namespace {

/// The MPI, the compiler and topomp's version.
json provenance() {
    char library[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(library, &length);
    const std::string_view text = library;
    return {{"mpi", is_simulated ? std::string_view{"SimGrid SMPI"} : text.substr(0, text.find('\n'))},
            {"compiler", __VERSION__},
            {"topomp", topo::version}};
}

} // namespace

sample_file::sample_file(const arguments& given)
    : where_(provenance()), output_(given.output), program_(given.program) {
    where_.update(given.notes);
    if (!output_.empty()) out_.open(output_, std::ios::app);
}

void sample_file::add(json sample) {
    if (output_.empty()) return;
    sample.update(where_);
    out_ << sample.text() << '\n';
    if (!out_.flush()) throw std::runtime_error(program_ + ": cannot write " + output_);
}

} // namespace topo_bench
