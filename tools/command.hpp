// SPDX-License-Identifier: BSL-1.0
/// @file
/// A subcommand of `topomp`. A new one is a file `command_NAME.cpp` with a class and a function `make_NAME`,
/// and a line in `subcommands.cpp`. Its --help, its man page and its completions follow from the options that
/// it declares.
#pragma once

#include "launch.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace topo::tool {

/// The process that a subcommand runs in.
struct process {
    launch started;                ///< as it was before MPI_Init
    bool is_in_mpi = false;        ///< whether MPI is started
    bool is_speaker = true;        ///< rank 0, or a process by itself
    std::vector<std::string> rest; ///< the words behind `--`
};

/// What a subcommand is called and does.
struct subcommand_words {
    const char* name;     ///< one word
    const char* about;    ///< one sentence, without a full stop
    const char* examples; ///< a command line per line, each behind `# ` and what it does
};

/// A subcommand: its options in CLI11's model, and what it does with them.
class subcommand {
public:
    subcommand() = default;
    subcommand(const subcommand&) = delete;
    subcommand& operator=(const subcommand&) = delete;
    virtual ~subcommand() = default;

    virtual subcommand_words words() const = 0;
    /// Whether MPI is started before its options are read, where a launcher started the process.
    virtual bool uses_mpi() const { return true; }
    /// Whether it takes a command with options of its own, as `topomp run` does.
    virtual bool takes_command() const { return false; }
    /// Adds its options. They have to live as long as this.
    virtual void declare(CLI::App& options) = 0;
    /// Runs it, once its options are read. @return the exit code @throws topo::error
    virtual int run(const process& here) = 0;
};

/// All subcommands, in the order of the help.
std::vector<std::unique_ptr<subcommand>> all_subcommands();

/// The whole command line in CLI11's model; the subcommands have to outlive it.
std::unique_ptr<CLI::App> make_command_line(const std::vector<std::unique_ptr<subcommand>>& all);

/// For options that name a file: man pages and completions know it by this.
inline constexpr const char* file_type = "FILE";

} // namespace topo::tool
