// SPDX-License-Identifier: BSL-1.0
#include "run.hpp"

#include <topomp/core/error.hpp>

#include <mpi.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace topo::tool {

namespace {

constexpr const char* call = "topomp run";

/// The library beside this command: in the build tree, or where it is installed.
std::filesystem::path preload_library() {
    const auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    const std::array places{folder / "preload", folder / TOPOMP_LIBRARY_FOLDER};
    for (const auto& each : places)
        if (const auto library = each / "libtopomp-preload.so"; std::filesystem::exists(library))
            return std::filesystem::canonical(library);
    throw system_error(call, "libtopomp-preload.so",
                       "it is neither in " + places[0].string() + " nor in " + places[1].string());
}

using variables = std::vector<std::pair<std::string, std::string>>;

variables variables_of(const run_request& request) {
    std::string preload = preload_library().string();
    // What the user preloads stays in front: a profiling tool sees the program's calls first.
    if (const char* const before = std::getenv("LD_PRELOAD"); before != nullptr && *before != '\0')
        preload = before + (':' + preload);
    variables all{{"LD_PRELOAD", preload}};
    const auto add = [&](const char* name, const std::optional<std::string>& value) {
        if (value) all.emplace_back(name, *value);
        // What is set already has to reach the ranks on other hosts too.
        else if (const char* const set = std::getenv(name); set != nullptr)
            all.emplace_back(name, set);
    };
    add("TOPOMP_PRELOAD", request.parts);
    add("TOPOMP_VERBS", request.verbs);
    add("TOPOMP_POLICY", request.policy);
    add("TOPOMP_MACHINE", request.machine);
    add("TOPOMP_PLACE", request.place);
    add("TOPOMP_NONBLOCKING", request.with_nonblocking ? std::optional<std::string>{"1"} : std::nullopt);
    add("TOPOMP_REPORT", request.with_report ? std::optional<std::string>{"1"} : std::nullopt);
    return all;
}

bool is_launcher(const std::string& word) {
    const std::string name = std::filesystem::path{word}.filename().string();
    for (const std::string_view known : {"mpirun", "mpiexec", "orterun", "prterun"})
        if (name.starts_with(known)) return true;
    return false;
}

/// The launcher's words for variables of the ranks; the launcher itself then runs without the library.
void tell_launcher(std::vector<std::string>& words, const variables& all) {
    std::vector<std::string> options;
    for (const auto& [name, value] : all) {
#ifdef OPEN_MPI
        options.insert(options.end(), {"-x", name + '=' + value});
#else
        options.insert(options.end(), {"-genv", name, value});
#endif
    }
    words.insert(words.begin() + 1, options.begin(), options.end());
}

void show(const std::vector<std::string>& words, const variables& set) {
    for (const auto& [name, value] : set)
        std::cout << name << "='" << value << "' ";
    for (const auto& word : words)
        std::cout << (&word == &words.front() ? "" : " ")
                  << (word.find(' ') == word.npos ? word : '\'' + word + '\'');
    std::cout << '\n';
}

} // namespace

void run(const run_request& request) {
    std::vector<std::string> words = request.command;
    if (words.empty())
        throw argument_error(call, "command", "there is none: topomp run -- mpirun -n 16 ./program");
    variables all = variables_of(request);
    if (is_launcher(words.front())) {
        tell_launcher(words, all);
        all.clear();
    }
    if (request.is_only_shown) return show(words, all);
    for (const auto& [name, value] : all)
        setenv(name.c_str(), value.c_str(), 1);
    std::vector<char*> arguments;
    for (auto& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execvp(arguments.front(), arguments.data());
    throw system_error(call, words.front(), std::strerror(errno));
}

} // namespace topo::tool
