// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "run.hpp"

namespace topo::tool {

std::unique_ptr<subcommand> make_run();

namespace {

class run_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"run",
                "an MPI program that is not compiled for topomp, with topomp's collectives and grids: topomp "
                "run -- "
                "mpirun -n 16 ./program",
                "# with a table of the calls at the end\n"
                "topomp run --report -- mpirun -n 16 ./program\n"
                "# in a job of Slurm\n"
                "topomp run -- srun --mpi=pmix -n 16 ./program\n"};
    }
    bool uses_mpi() const override { return false; }
    bool takes_command() const override { return true; }

    void declare(CLI::App& command) override {
        command.prefix_command(); // what follows its options is the command
        command_ = &command;
        command.add_option("--preload", request_.parts, "some of collectives,grids,dims_create, or off");
        command.add_option("--verbs", request_.verbs, "only these collectives, such as bcast,allreduce");
        command.add_option("--policy", request_.policy,
                           "automatic, or a policy as in a program: native, 'lanes<chain, linear>'");
        command
            .add_option("--tuning", request_.tuning,
                        "tuning files, files of topomp measure, or usual networks such as hdr_infiniband, "
                        "with commas "
                        "between them")
            ->type_name(file_type);
        command.add_option("--machine", request_.machine, "a made-up machine instead of this one");
        command.add_option("--place", request_.place, "where ranks sit on that: core or round-robin");
        command.add_flag("--nonblocking", request_.with_nonblocking,
                         "serve non-blocking collectives too, for which MPI is asked for threads");
        command.add_flag("--report", request_.with_report, "a table of the calls at the end");
        command.add_flag("--show", request_.is_only_shown, "print the command line instead of running it");
    }

    int run(const process& here) override {
        // A command may have a "--" of its own.
        request_.command = command_->remaining();
        if (!request_.command.empty() && !here.rest.empty()) request_.command.emplace_back("--");
        request_.command.insert(request_.command.end(), here.rest.begin(), here.rest.end());
        return topo::tool::run(request_);
    }

private:
    run_request request_;
    CLI::App* command_ = nullptr;
};

} // namespace

std::unique_ptr<subcommand> make_run() { return std::make_unique<run_command>(); }

} // namespace topo::tool
