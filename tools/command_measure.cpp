// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "measure.hpp"
#include <topomp/core/error.hpp>

namespace topo::tool {

std::unique_ptr<subcommand> make_measure();

namespace {

class measure_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"measure",
                "the parameters of cost models on this machine, between the ranks that mpirun started",
                "# about 20 seconds\n"
                "mpirun -n 8 topomp measure --output here.parameters\n"};
    }

    void declare(CLI::App& measure) override {
        measure.add_option("--seconds", request_.seconds, "about how long it may take")
            ->check(CLI::Range(0.0, 600.0))
            ->capture_default_str();
        measure.add_option("--machine", request_.machine,
                           "levels of a made-up machine, a rank a core, instead of those of this run");
        measure.add_option("--output", request_.output, "a file to write to instead of standard output")
            ->type_name(file_type);
    }

    int run(const process& here) override {
        if (!here.is_in_mpi)
            throw argument_error("topomp measure", "one process",
                                 "messages need ranks: mpirun -n 2 topomp measure");
        measure_running(request_);
        return 0;
    }

private:
    measure_request request_;
};

} // namespace

std::unique_ptr<subcommand> make_measure() { return std::make_unique<measure_command>(); }

} // namespace topo::tool
