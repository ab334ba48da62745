// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "map.hpp"

#include <limits>

namespace topo::tool {

std::unique_ptr<subcommand> make_map();

namespace {

class map_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {
            "map",
            "which rank should have which cell of a grid, so that neighbours share nodes; for any machine, "
            "without MPI",
            "# what each algorithm reaches for 50 nodes of 48 ranks\n"
            "topomp map --dims 50x48 --per-node 48\n"
            "# for srun --distribution=arbitrary\n"
            "topomp map --dims 50x48 --per-node 48 --emit slurm --hosts \"$SLURM_JOB_NODELIST\" --output "
            "FILE\n"};
    }
    bool uses_mpi() const override { return false; }

    void declare(CLI::App& map) override {
        map.add_option("--dims", arguments_.dims,
                       "cells along each dimension, such as 50x48; 0 leaves one open")
            ->required();
        auto* per_node = map.add_option("--per-node", arguments_.per_node, "ranks of every node")
                             ->check(CLI::Range(1, std::numeric_limits<int>::max()));
        map.add_option("--node-sizes", arguments_.node_sizes, "ranks of each node, such as 20x48,40")
            ->excludes(per_node);
        map.add_option("--ranks", arguments_.ranks, "number of ranks, where dims leave it open")
            ->check(CLI::Range(1, std::numeric_limits<int>::max()));
        map.add_option("--parts", arguments_.parts,
                       "each node in so many parts, each of these in so many, ..., such as 2,4");
        map.add_option("--periodic", arguments_.periodic, "whether each dimension is a circle, such as 1,0");
        map.add_option("--stencil", arguments_.pattern,
                       "star, moore, diagonal, or a file with a line 'STEP STEP ... [WEIGHT]' per offset")
            ->type_name(file_type)
            ->capture_default_str();
        map.add_option("--weights", arguments_.weights,
                       "the load of each dimension, pair of opposite offsets, or offset, such as 16,4,1");
        map.add_option("--algorithm", arguments_.algorithm, "automatic, or one of those that it tries")
            ->capture_default_str();
        map.add_option("--first", arguments_.first, "what decides first: jsum or jmax")
            ->check(CLI::IsMember({"jsum", "jmax"}))
            ->capture_default_str();
        auto* format = map.add_option("--format", arguments_.format, "text, json or svg")
                           ->check(CLI::IsMember({"text", "json", "svg"}))
                           ->capture_default_str();
        auto* emit = map.add_option("--emit", arguments_.emit,
                                    "what a launcher takes instead: rankfile, mpich or slurm")
                         ->check(CLI::IsMember({"rankfile", "mpich", "slurm"}))
                         ->excludes(format);
        map.add_option("--hosts", arguments_.hosts, "the names of the nodes, such as node[0-49]")
            ->needs(emit);
        map.add_option("--output", arguments_.output, "a file to write to instead of standard output")
            ->type_name(file_type);
        map.add_flag("--seconds", arguments_.with_seconds, "say how long planning took");
    }

    int run(const process&) override {
        map(arguments_);
        return 0;
    }

private:
    map_arguments arguments_;
};

} // namespace

std::unique_ptr<subcommand> make_map() { return std::make_unique<map_command>(); }

} // namespace topo::tool
