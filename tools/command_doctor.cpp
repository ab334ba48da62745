// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "doctor.hpp"

namespace topo::tool {

std::unique_ptr<subcommand> make_doctor();

namespace {

class doctor_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"doctor",
                "whether MPI, Boost.MPI, binding, shared memory, Slurm and the preload library are as they "
                "should be, "
                "and what to do; exit status 1 if something is wrong",
                "# this machine\n"
                "topomp doctor\n"
                "# how ranks are started, and all nodes of a job\n"
                "mpirun -n 8 topomp doctor\n"};
    }
    void declare(CLI::App&) override {}
    int run(const process& here) override { return doctor(here.started, here.is_in_mpi); }
};

} // namespace

std::unique_ptr<subcommand> make_doctor() { return std::make_unique<doctor_command>(); }

} // namespace topo::tool
