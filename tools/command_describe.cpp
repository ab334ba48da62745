// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "help.hpp"
#include "output.hpp"
#include "pages.hpp"
#include <topomp/core/error.hpp>

#include <filesystem>
#include <system_error>

namespace topo::tool {

std::unique_ptr<subcommand> make_describe();

namespace {

/// Writes the man pages and the completions, for the build. It is in no list.
class describe_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"describe", "man pages and completions of this command, for its installation", ""};
    }
    bool uses_mpi() const override { return false; }

    void declare(CLI::App& describe) override {
        describe.group(""); // hidden
        describe.add_option("--output", folder_, "the folder to write man1, bash and zsh into")
            ->required()
            ->type_name(file_type);
        topomp_ = describe.get_parent();
    }

    int run(const process&) override {
        const auto write = [&](const char* part, const std::string& name, const std::string& text) {
            const std::filesystem::path folder = std::filesystem::path{folder_} / part;
            std::error_code problem;
            std::filesystem::create_directories(folder, problem);
            if (problem) throw system_error("topomp describe", folder.string(), problem.message());
            write_output("topomp describe", (folder / name).string(), text);
        };
        write("man1", "topomp.1", man_page(*topomp_));
        for (const CLI::App* each : visible_subcommands(*topomp_))
            write("man1", "topomp-" + each->get_name() + ".1", man_page(*each));
        write("bash", "topomp", bash_completion(*topomp_));
        write("zsh", "_topomp", zsh_completion(*topomp_));
        return 0;
    }

private:
    std::string folder_;
    const CLI::App* topomp_ = nullptr;
};

} // namespace

std::unique_ptr<subcommand> make_describe() { return std::make_unique<describe_command>(); }

} // namespace topo::tool
