// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/machine_costs.hpp>
#include <topomp/decide/detail/probe.hpp>
#include <topomp/decide/detail/read_sources.hpp>
#include <topomp/decide/detail/tuning_file.hpp>
#include <topomp/hardware/detail/text_file.hpp>
#include <topomp/model/machine_parameters.hpp>
#include <topomp/model/network_messages.hpp>
#include <topomp/model/table.hpp>
#include <topomp/model/usual_networks.hpp>

#include <boost/mpi/communicator.hpp>
#include <boost/mpi/config.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE machine_costs costs_by(model::machine_parameters measured) {
    machine_costs made = machine_costs::of(nullptr);
    const auto all = std::make_shared<const model::machine_parameters>(std::move(measured));
    for (const auto& level : all->levels) { // the outermost of each kind counts
        auto& messages = joins_nodes(level.inside) ? made.between : made.inside;
        if (messages.measured != nullptr || level.members < 2) continue;
        messages.measured = &level.messages;
        if (level.flag_latency > 0 && &messages == &made.inside) made.signal = level.flag_latency;
    }
    if (!all->copies.empty()) {
        constexpr double usual_bytes = 32768;
        made.copy_per_byte = 1 / model::detail::read_table(all->copies, usual_bytes, [](const auto& at) {
                                 return at.bytes_per_second;
                             });
        made.combine_per_byte = made.copy_per_byte;
        made.receive_per_byte = 0; // in what messages were measured to take
    }
    made.source = all;
    return made;
}

TOPOMP_INLINE machine_costs costs_by(const model::network_messages& between_nodes) {
    machine_costs made = machine_costs::of(nullptr);
    const auto kept = std::make_shared<const model::network_messages>(between_nodes);
    made.between.network = kept.get();
    made.source = kept;
    return made;
}

TOPOMP_INLINE cost_sources sources_in(const std::string& name, const std::string& text,
                                      std::string& complaint) {
    cost_sources made;
    complaint.clear();
    try {
        const auto first = text.find_first_not_of(" \t\r\n");
        if (first != text.npos && text[first] == '{') {
            auto file = std::make_shared<tuning_file>(tuning_file::read(name, text, complaint));
            const auto require_same = [&](const std::string& there, const std::string& here) {
                if (there != here)
                    throw input_error("tuning file", name,
                                      "it is of another machine: of '" + there + "', and here is '" + here +
                                          '\'');
            };
            require_same(file->from.machine, this_machine());
            require_same(file->from.mpi, this_mpi());
            if (!complaint.empty()) complaint = name + ": " + complaint;
            made.file = std::move(file);
        } else {
            made.measured = std::make_shared<const machine_costs>(
                costs_by(model::machine_parameters::read_text(name, text)));
        }
    } catch (const std::exception& problem) {
        complaint = problem.what();
    }
    return made;
}

TOPOMP_INLINE sharing sharing_over(const boost::mpi::communicator& comm) {
    return {comm.rank(),
            [&comm](void* data, std::size_t bytes) {
                constexpr std::size_t most = std::size_t{1} << 24;
                for (std::size_t at = 0; at < bytes; at += most)
                    mpi::check(MPI_Bcast(static_cast<char*>(data) + at,
                                         static_cast<int>(std::min(most, bytes - at)), MPI_CHAR, 0, comm),
                               "MPI_Bcast", "tuning file");
            },
            [&comm](std::int64_t value) {
                std::int64_t all = 0;
                mpi::allreduce(&value, &all, 1, MPI_INT64_T, MPI_MIN, comm, "tuning file");
                return all;
            }};
}

TOPOMP_INLINE std::vector<std::string> names_in(const std::string& list) {
    if (std::ifstream{list}) return {list};
    std::vector<std::string> names;
    for (std::size_t from = 0; from < list.size();) {
        const std::size_t end = std::min(list.find(',', from), list.size());
        if (end > from) names.push_back(list.substr(from, end - from));
        from = end + 1;
    }
    return names;
}

/// Those of one name, which is rank 0's.
TOPOMP_INLINE cost_sources read_source(const sharing& ranks, const std::string& what,
                                       std::string& complaint) {
    constexpr std::int64_t nothing = -1, must_probe = -2;
    std::string text;
    complaint.clear();
    // What rank 0 has, which counts for all: the number of a network; the length of a text.
    std::array<std::int64_t, 2> has{nothing, nothing};
    const auto network = std::ranges::find(model::usual_networks, what, &model::usual_network::name);
    if (ranks.rank != 0) {
    } else if (network != model::usual_networks.end()) {
        has[0] = network - model::usual_networks.begin();
    } else if (what == probe_tuning && ranks.between != nullptr) {
        has[0] = must_probe;
    } else if (what == adaptive_tuning) {
        if (!has_adaptive_calls)
            complaint = "adaptive is for the preload library, a program names the policy topo::adaptive";
    } else {
        try {
            text = read_text_file("tuning file", what);
            has[1] = static_cast<std::int64_t>(text.size());
        } catch (const std::exception& problem) {
            complaint = problem.what();
        }
    }
    ranks.broadcast(has.data(), sizeof has);
    cost_sources made;
    if (has[0] == must_probe) {
        if (const two_nodes nodes = ranks.between(); !nodes.second.empty())
            made.measured = std::make_shared<const machine_costs>(costs_by(probe_network(ranks, nodes)));
    } else if (has[0] >= 0) {
        made.network = &model::usual_networks[static_cast<std::size_t>(has[0])];
    } else if (has[1] >= 0) {
        text.resize(static_cast<std::size_t>(has[1]));
        ranks.broadcast(text.data(), text.size());
        std::string mine;
        made = sources_in(what, text, mine);
        if (ranks.rank == 0) complaint = mine;
        // Nodes may have other processors.
        if (ranks.lowest(made.is_empty() ? 0 : 1) == 0) {
            if (ranks.rank == 0 && complaint.empty())
                complaint = what + ": it is of another machine: some nodes have other processors";
            made = {};
        }
    }
    return made;
}

TOPOMP_INLINE cost_sources read_sources(const sharing& ranks, const std::string& list,
                                        std::vector<source_complaint>& complaints) {
    const auto names = ranks.rank == 0 ? names_in(list) : std::vector<std::string>{};
    auto number = static_cast<std::int64_t>(names.size());
    ranks.broadcast(&number, sizeof number);
    cost_sources all;
    complaints.clear();
    for (std::int64_t i = 0; i < number; ++i) {
        std::string complaint;
        const std::string name = names.empty() ? std::string{} : names[static_cast<std::size_t>(i)];
        const cost_sources made = read_source(ranks, name, complaint);
        if (!complaint.empty())
            complaints.push_back({complaint, !made.is_empty() || name == adaptive_tuning});
        all.replace_by(made);
    }
    return all;
}

TOPOMP_INLINE cost_sources read_sources_here(const std::string& list,
                                             std::vector<source_complaint>& complaints) {
    return read_sources({0, [](void*, std::size_t) {}, [](std::int64_t mine) { return mine; }, nullptr}, list,
                        complaints);
}

TOPOMP_INLINE cost_sources read_sources_or_say(const sharing& ranks, const std::string& where,
                                               const std::string& list) {
    std::vector<source_complaint> complaints;
    const cost_sources made = read_sources(ranks, list, complaints);
    if (ranks.rank != 0) return made;
    for (const source_complaint& each : complaints)
        say_once(where + ": " + each.text + (each.is_used ? "" : "; the file is not used"));
    return made;
}

} // namespace topo::detail
