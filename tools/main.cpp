// SPDX-License-Identifier: BSL-1.0
/// @file
/// The `topomp` command.
#include "map.hpp"
#include "measure.hpp"
#include "predict.hpp"
#include "run.hpp"
#include "show.hpp"
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/network.hpp>
#include <topomp/version.hpp>

#include <CLI/CLI.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int exit_bad_input = 2;
constexpr const char* map_command = "map";
constexpr const char* run_command = "run";

/// Whether an MPI launcher started this process. Asked before MPI_Init, which a plain run of the command does
/// not call: it would take time and fail where no MPI job may run, such as on a login node.
bool is_launched() {
    constexpr std::array variables{"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK", "PMI_SIZE"};
    return std::ranges::any_of(variables, [](const char* name) { return std::getenv(name) != nullptr; });
}

topo::kind read_kind(const std::string& name) {
    const auto found = topo::kind_from_string(name);
    if (!found || *found == topo::kind::cluster) {
        std::string known;
        for (const auto& entry : topo::detail::kind_names)
            if (entry.which != topo::kind::cluster) known.append(" ").append(entry.name);
        throw topo::argument_error("topomp show", "kind '" + name + "'", "unknown; known are" + known);
    }
    return *found;
}

/// The options of `topomp show` in the words of the command line.
struct show_arguments {
    topo::tool::show_request request;
    std::vector<std::string> only, skip;
    std::string network_file, slurm_conf;
    bool no_network = false, last_cpu = false;

    void declare(CLI::App& show) {
        auto* machine = show.add_option("--machine", request.description,
                                        "a made-up machine, such as 'switch:2 node:3 package:2 l3:1 core:4'");
        auto* xml = show.add_option("--xml", request.xml, "a machine from a file that lstopo wrote")
                        ->excludes(machine);
        show.add_option("--nodes", request.nodes, "so many nodes like that in the file")
            ->needs(xml)
            ->check(CLI::Range(1, 1 << 22));
        show.add_option("--ranks", request.ranks,
                        "number of ranks; without MPI, a rank per core if not given")
            ->check(CLI::Range(1, 1 << 24));
        show.add_option("--place", request.place,
                        "core, round-robin, or a file with a line 'NODE CPULIST' per rank")
            ->capture_default_str();
        auto* tree =
            show.add_option("--tree", request.tree,
                            "the tree of a policy instead, such as binomial or 'two_levels<chain, binary>'");
        show.add_option("--root", request.root, "where that tree begins")->needs(tree);
        show.add_option("--format", request.format, "text, json, dot or svg")
            ->check(CLI::IsMember({"text", "json", "dot", "svg"}))
            ->capture_default_str();
        show.add_option("--output", request.output, "a file to write to instead of standard output");
        show.add_option("--only", only, "only levels of these kinds, such as Machine,NUMANode")
            ->delimiter(',');
        show.add_option("--skip", skip, "no levels of these kinds")->delimiter(',');
        show.add_option("--max-depth", request.options.max_depth, "at most so many levels")
            ->check(CLI::Range(0, std::numeric_limits<int>::max()));
        auto* lines =
            show.add_option("--network", network_file, "the switches: a file of lines 'host: switches'");
        show.add_option("--topology-conf", slurm_conf, "the switches: Slurm's topology.conf")
            ->excludes(lines);
        show.add_flag("--no-network", no_network, "no switch levels");
        show.add_flag("--last-cpu", last_cpu, "where ranks last ran, for ranks that are not bound");
    }

    topo::tool::show_request read() const {
        topo::tool::show_request result = request;
        if (!network_file.empty()) result.switches = topo::network::file(network_file);
        if (!slurm_conf.empty()) result.switches = topo::network::slurm_conf(slurm_conf);
        if (last_cpu) result.options.source = topo::binding_source::last_cpu;
        for (const auto& name : only)
            result.options.only.push_back(read_kind(name));
        for (const auto& name : skip)
            result.options.skip.push_back(read_kind(name));
        if (no_network) {
            result.switches.reset();
            result.options.network = topo::network::none();
            result.options.skip.push_back(topo::kind::network_switch);
        }
        return result;
    }
};

void declare_measure(CLI::App& measure, topo::tool::measure_request& request) {
    measure.add_option("--seconds", request.seconds, "about how long it may take")
        ->check(CLI::Range(0.0, 600.0))
        ->capture_default_str();
    measure.add_option("--machine", request.machine,
                       "levels of a made-up machine, a rank a core, instead of those of this run");
    measure.add_option("--output", request.output, "a file to write to instead of standard output");
}

void declare_predict(CLI::App& predict, topo::tool::predict_request& request) {
    predict.add_option("--parameters", request.parameters, "a file that topomp measure wrote")->required();
    predict
        .add_option("--verb", request.verb,
                    "barrier, broadcast, reduce, all_reduce, all_gather, all_to_all or reduce_scatter")
        ->capture_default_str();
    predict.add_option(
        "--policy", request.policies,
        "such as binomial, 'per_level<on<machine, linear>, otherwise<chain>>' (one per option), "
        "hierarchical:chain, 'placement_independent<chain>' or ring; "
        "all that are known for the verb if none is given");
    predict
        .add_option("--segment", request.segment, "bytes of the pieces that go down trees, 0 for one piece")
        ->check(CLI::NonNegativeNumber)
        ->capture_default_str();
    predict.add_option("--bytes", request.bytes, "of a message or block, such as 8,1024,65536")
        ->delimiter(',')
        ->check(CLI::NonNegativeNumber);
}

void declare_map(CLI::App& map, topo::tool::map_arguments& arguments) {
    map.add_option("--dims", arguments.dims, "cells along each dimension, such as 50x48; 0 leaves one open")
        ->required();
    auto* per_node = map.add_option("--per-node", arguments.per_node, "ranks of every node")
                         ->check(CLI::Range(1, std::numeric_limits<int>::max()));
    map.add_option("--node-sizes", arguments.node_sizes, "ranks of each node, such as 20x48,40")
        ->excludes(per_node);
    map.add_option("--ranks", arguments.ranks, "number of ranks, where dims leave it open")
        ->check(CLI::Range(1, std::numeric_limits<int>::max()));
    map.add_option("--parts", arguments.parts,
                   "each node in so many parts, each of these in so many, ..., such as 2,4");
    map.add_option("--periodic", arguments.periodic, "whether each dimension is a circle, such as 1,0");
    map.add_option("--stencil", arguments.pattern,
                   "star, moore, diagonal, or a file with a line 'STEP STEP ... [WEIGHT]' per offset")
        ->capture_default_str();
    map.add_option("--weights", arguments.weights,
                   "the load of each dimension, pair of opposite offsets, or offset, such as 16,4,1");
    map.add_option("--algorithm", arguments.algorithm, "automatic, or one of those that it tries")
        ->capture_default_str();
    map.add_option("--first", arguments.first, "what decides first: jsum or jmax")
        ->check(CLI::IsMember({"jsum", "jmax"}))
        ->capture_default_str();
    auto* format = map.add_option("--format", arguments.format, "text, json or svg")
                       ->check(CLI::IsMember({"text", "json", "svg"}))
                       ->capture_default_str();
    auto* emit =
        map.add_option("--emit", arguments.emit, "what a launcher takes instead: rankfile, mpich or slurm")
            ->check(CLI::IsMember({"rankfile", "mpich", "slurm"}))
            ->excludes(format);
    map.add_option("--hosts", arguments.hosts, "the names of the nodes, such as node[0-49]")->needs(emit);
    map.add_option("--output", arguments.output, "a file to write to instead of standard output");
    map.add_flag("--seconds", arguments.with_seconds, "say how long planning took");
}

void declare_run(CLI::App& command, topo::tool::run_request& request) {
    command.prefix_command(); // what follows its options is the command
    command.add_option("--preload", request.parts, "some of collectives,grids,dims_create, or off");
    command.add_option("--verbs", request.verbs, "only these collectives, such as bcast,allreduce");
    command.add_option("--policy", request.policy,
                       "automatic, or a policy as in a program: native, 'lanes<chain, linear>'");
    command.add_option("--machine", request.machine, "a made-up machine instead of this one");
    command.add_option("--place", request.place, "where ranks sit on that: core or round-robin");
    command.add_flag("--nonblocking", request.with_nonblocking,
                     "serve non-blocking collectives too, for which MPI is asked for threads");
    command.add_flag("--report", request.with_report, "a table of the calls at the end");
    command.add_flag("--show", request.is_only_shown, "print the command line instead of running it");
}

/// One line, whatever the message holds.
void complain(bool is_speaker, std::string message) {
    if (!is_speaker) return;
    std::ranges::replace(message, '\n', ' ');
    std::cerr << "topomp: " << message << std::endl;
}

int run(int argc, char** argv, bool launched) {
    const bool is_speaker = !launched || topo::mpi::comm_rank(MPI_COMM_WORLD) == 0;
    CLI::App app{"topomp: the hardware that an MPI program runs on, as communicators", "topomp"};
    app.set_version_flag("--version", std::string{topo::version});
    show_arguments arguments;
    CLI::App* show =
        app.add_subcommand("show", "the hierarchy of communicators: of this run under mpirun, else of "
                                   "this machine, or of a machine that you describe");
    arguments.declare(*show);
    topo::tool::measure_request measuring;
    CLI::App* measure =
        app.add_subcommand("measure", "the parameters of cost models on this machine, between "
                                      "the ranks that mpirun started");
    declare_measure(*measure, measuring);
    topo::tool::predict_request predicting;
    CLI::App* predict =
        app.add_subcommand("predict", "how long collectives should take by cost models, with the "
                                      "parameters that were measured");
    declare_predict(*predict, predicting);
    topo::tool::map_arguments mapping;
    CLI::App* map = app.add_subcommand(map_command, "which rank should have which cell of a grid, so that "
                                                    "neighbours share nodes; for any machine, without MPI");
    declare_map(*map, mapping);
    topo::tool::run_request running;
    if (argc > 1 && std::string_view{argv[1]} == run_command) { // behind "--" nothing is ours
        char** const end = std::find(argv, argv + argc, std::string_view{"--"});
        if (end != argv + argc) running.command.assign(end + 1, argv + argc);
        argc = static_cast<int>(end - argv);
    }
    CLI::App* preloaded = app.add_subcommand(
        run_command, "an MPI program that is not compiled for topomp, with topomp's collectives and grids: "
                     "topomp run -- mpirun -n 16 ./program");
    declare_run(*preloaded, running);
    try {
        app.parse(argc, argv);
        // Asked afterwards: a misspelt subcommand is then named as what was not expected.
        if (app.get_subcommands().empty()) throw CLI::RequiredError("A subcommand");
        if (map->parsed()) {
            topo::tool::map(mapping);
            return 0;
        }
        if (preloaded->parsed()) {
            if (running.command.empty()) running.command = preloaded->remaining();
            return topo::tool::run(running);
        }
        if (measure->parsed()) {
            if (!launched)
                throw topo::argument_error("topomp measure", "one process",
                                           "messages need ranks: mpirun -n 2 topomp measure");
            topo::tool::measure_running(measuring);
            return 0;
        }
        if (predict->parsed()) {
            if (is_speaker) topo::tool::predict(predicting);
            return 0;
        }
        const auto request = arguments.read();
        if (launched)
            topo::tool::show_running(request);
        else
            topo::tool::show_planned(request);
    } catch (const CLI::Success& answered) { // --help, --version
        return is_speaker ? app.exit(answered) : 0;
    } catch (const CLI::ParseError& problem) {
        complain(is_speaker, problem.what());
        return exit_bad_input;
    } catch (const std::exception& problem) {
        complain(is_speaker, problem.what());
        return exit_bad_input;
    }
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    // Plans need no MPI, wherever they are made, nor does starting a program that does.
    const std::string_view command = argc > 1 ? argv[1] : "";
    const bool launched = is_launched() && command != map_command && command != run_command;
    // What hwloc has to say of a broken file, the command says in a line. The program of `run` is not the
    // command's, and what the user has set stays.
    if (command != run_command) setenv("HWLOC_HIDE_ERRORS", "2", 0);
    std::optional<boost::mpi::environment> mpi;
    if (launched) mpi.emplace(argc, argv);
    return run(argc, argv, launched);
}
