// SPDX-License-Identifier: BSL-1.0
#include "command.hpp"
#include "show.hpp"
#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/hardware/network.hpp>

#include <limits>
#include <string>
#include <vector>

namespace topo::tool {

std::unique_ptr<subcommand> make_show();

namespace {

kind read_kind(const std::string& name) {
    const auto found = kind_from_string(name);
    if (!found || *found == kind::cluster) {
        std::string known;
        for (const auto& entry : detail::kind_names)
            if (entry.which != kind::cluster) known.append(" ").append(entry.name);
        throw argument_error("topomp show", "kind '" + name + "'", "unknown; known are" + known);
    }
    return *found;
}

class show_command final : public subcommand {
public:
    subcommand_words words() const override {
        return {"show",
                "the hierarchy of communicators: of this run under a launcher, else of this machine, or of a "
                "machine "
                "that you describe",
                "# of a running job\n"
                "mpirun -n 8 --bind-to core topomp show\n"
                "# of two nodes with two packages of four cores each, as a picture\n"
                "topomp show --machine 'node:2 package:2 core:4' --format svg --output picture.svg\n"};
    }

    void declare(CLI::App& show) override {
        auto* machine = show.add_option("--machine", request_.description,
                                        "a made-up machine, such as 'switch:2 node:3 package:2 l3:1 core:4'");
        auto* xml = show.add_option("--xml", request_.xml, "a machine from a file that lstopo wrote")
                        ->excludes(machine)
                        ->type_name(file_type);
        show.add_option("--nodes", request_.nodes, "so many nodes like that in the file")
            ->needs(xml)
            ->check(CLI::Range(1, 1 << 22));
        show.add_option("--ranks", request_.ranks,
                        "number of ranks; without MPI, a rank per core if not given")
            ->check(CLI::Range(1, 1 << 24));
        show.add_option("--place", request_.place,
                        "core, round-robin, or a file with a line 'NODE CPULIST' per rank")
            ->type_name(file_type)
            ->capture_default_str();
        auto* tree =
            show.add_option("--tree", request_.tree,
                            "the tree of a policy instead, such as binomial or 'two_levels<chain, binary>'");
        show.add_option("--root", request_.root, "where that tree begins")->needs(tree);
        show.add_option("--format", request_.format, "text, json, dot or svg")
            ->check(CLI::IsMember({"text", "json", "dot", "svg"}))
            ->capture_default_str();
        show.add_option("--output", request_.output, "a file to write to instead of standard output")
            ->type_name(file_type);
        show.add_option("--only", only_, "only levels of these kinds, such as Machine,NUMANode")
            ->delimiter(',');
        show.add_option("--skip", skip_, "no levels of these kinds")->delimiter(',');
        show.add_option("--max-depth", request_.options.max_depth, "at most so many levels")
            ->check(CLI::Range(0, std::numeric_limits<int>::max()));
        auto* lines =
            show.add_option("--network", network_file_, "the switches: a file of lines 'host: switches'")
                ->type_name(file_type);
        show.add_option("--topology-conf", slurm_conf_, "the switches: Slurm's topology.conf")
            ->excludes(lines)
            ->type_name(file_type);
        show.add_flag("--no-network", no_network_, "no switch levels");
        show.add_flag("--last-cpu", last_cpu_, "where ranks last ran, for ranks that are not bound");
    }

    int run(const process& here) override {
        const show_request request = read();
        if (here.is_in_mpi)
            show_running(request, here.started);
        else
            show_planned(request, here.started);
        return 0;
    }

private:
    show_request read() const {
        show_request result = request_;
        if (!network_file_.empty()) result.switches = network::file(network_file_);
        if (!slurm_conf_.empty()) result.switches = network::slurm_conf(slurm_conf_);
        if (last_cpu_) result.options.source = binding_source::last_cpu;
        for (const auto& name : only_)
            result.options.only.push_back(read_kind(name));
        for (const auto& name : skip_)
            result.options.skip.push_back(read_kind(name));
        if (no_network_) {
            result.switches.reset();
            result.options.network = network::none();
            result.options.skip.push_back(kind::network_switch);
        }
        return result;
    }

    show_request request_;
    std::vector<std::string> only_, skip_;
    std::string network_file_, slurm_conf_;
    bool no_network_ = false, last_cpu_ = false;
};

} // namespace

std::unique_ptr<subcommand> make_show() { return std::make_unique<show_command>(); }

} // namespace topo::tool
