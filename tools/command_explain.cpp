// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "explain.hpp"

namespace topo::tool {

std::unique_ptr<subcommand> make_explain();

namespace {

class explain_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"explain",
                "what the default policy decides for a call and why: of this run under mpirun, else of "
                "this machine or of one that you describe",
                "# what is chosen, its microseconds, and three other plans\n"
                "topomp explain --verb all_reduce --bytes 8,1M --machine 'node:10 package:2 core:12'\n"
                "# of this machine with a rank per core\n"
                "topomp explain --verb broadcast --bytes 64K\n"
                "# of this run\n"
                "mpirun -n 8 topomp explain --verb broadcast --bytes 64K\n"};
    }

    void declare(CLI::App& explain) override {
        explain.add_option("--verb", request_.verb, "the function of the call, such as all_reduce")
            ->capture_default_str();
        explain
            .add_option("--bytes", request_.bytes,
                        "of a message, or a block; of reduce_scatter of all blocks; such as 8,64K,1M")
            ->delimiter(',');
        explain.add_option(
            "--machine", request_.machine,
            "a made-up machine, such as 'switch:2 node:3 package:2 core:4', instead of this one");
        explain
            .add_option("--ranks", request_.ranks, "number of ranks on that; without MPI, a rank per core")
            ->check(CLI::Range(1, 1 << 24));
        explain.add_option("--place", request_.place, "where ranks sit on that: core or round-robin")
            ->capture_default_str();
        explain
            .add_option("--tuning", request_.tuning,
                        "tuning files, files of topomp measure, or usual networks such as hdr_infiniband, "
                        "with commas "
                        "between them")
            ->type_name(file_type);
        explain.add_flag("--ordered", request_.is_ordered, "of an operation that does not commute");
        explain.add_flag("--no-memory", request_.has_no_memory,
                         "as if the ranks of a node had no memory in common; without MPI");
    }

    int run(const process& here) override {
        if (here.is_in_mpi)
            explain_running(request_);
        else
            explain_planned(request_);
        return 0;
    }

private:
    explain_request request_;
};

} // namespace

std::unique_ptr<subcommand> make_explain() { return std::make_unique<explain_command>(); }

} // namespace topo::tool
