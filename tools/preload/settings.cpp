// SPDX-License-Identifier: BSL-1.0
#include "settings.hpp"

#include <topomp/core/error.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/hardware/machine.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace topo::preload {

namespace {

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    while (!text.empty()) {
        const auto comma = std::min(text.find(','), text.size());
        if (comma > 0) words.push_back(text.substr(0, comma));
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return words;
}

std::string complaint(std::string_view name, std::string_view value, std::string_view accepted) {
    return std::string{name}.append("=").append(value).append(": not known; accepted: ").append(accepted);
}

void read_parts(const std::string& text, settings& result, std::vector<std::string>& complaints) {
    if (text.empty()) return;
    settings asked = result;
    const std::array<std::pair<std::string_view, bool*>, 4> parts{
        {{"collectives", &asked.has_collectives},
         {"grids", &asked.has_grids},
         {"cart_map", &asked.has_grids}, // as it was called alone
         {"dims_create", &asked.has_dims_create}}};
    for (const auto& each : parts)
        *each.second = false;
    for (const auto word : words_of(text)) {
        const auto found = std::ranges::find(parts, word, [](const auto& each) { return each.first; });
        if (found != parts.end()) {
            *found->second = true;
        } else if (word != "off") {
            std::string accepted = "off, or some of ";
            for (const auto& each : parts)
                accepted.append(&each == parts.data() ? "" : ",").append(each.first);
            complaints.push_back(complaint("TOPOMP_PRELOAD", text, accepted));
            return;
        }
    }
    result = asked;
}

void read_verbs(const std::string& text, settings& result, std::vector<std::string>& complaints) {
    if (text.empty()) return;
    std::bitset<number_of_verbs> wanted;
    for (const auto word : words_of(text)) {
        const auto found = std::ranges::find(verb_names, word);
        if (found != verb_names.end()) {
            wanted.set(static_cast<std::size_t>(found - verb_names.begin()));
        } else {
            std::string accepted;
            for (const auto name : verb_names)
                accepted.append(accepted.empty() ? "" : ", ").append(name);
            complaints.push_back(complaint("TOPOMP_VERBS", text, accepted));
            return;
        }
    }
    result.verbs = wanted;
}

void read_machine(const environment& variables, settings& result, std::vector<std::string>& complaints) {
    if (!variables.machine.empty()) {
        try {
            static_cast<void>(machine::parse(variables.machine));
            result.machine = variables.machine;
        } catch (const error& problem) {
            complaints.push_back(complaint("TOPOMP_MACHINE", variables.machine,
                                           std::string{"descriptions such as 'node:2 package:2 core:4' ("} +
                                               problem.what() + ')'));
        }
    }
    if (variables.place.empty() || variables.place == "core") return;
    if (variables.place == "round-robin")
        result.is_round_robin = true;
    else
        complaints.push_back(complaint("TOPOMP_PLACE", variables.place, "core, round-robin"));
}

void read_report(const std::string& text, settings& result, std::vector<std::string>& complaints) {
    result.reports = text == "1";
    if (!text.empty() && text != "0" && text != "1")
        complaints.push_back(complaint("TOPOMP_REPORT", text, "0, 1"));
}

background_wish wish_of(std::string_view text) {
    if (text == "0") return background_wish::never;
    return text == "1" ? background_wish::always : background_wish::with_threads;
}

void read_nonblocking(const std::string& text, settings& result, std::vector<std::string>& complaints) {
    result.nonblocking = wish_of(text);
    if (!text.empty() && result.nonblocking == background_wish::with_threads)
        complaints.push_back(complaint("TOPOMP_NONBLOCKING", text, "0, 1"));
}

} // namespace

environment environment::read() {
    return {variable("TOPOMP_PRELOAD"),     variable("TOPOMP_VERBS"), variable("TOPOMP_POLICY"),
            variable("TOPOMP_MACHINE"),     variable("TOPOMP_PLACE"), variable("TOPOMP_REPORT"),
            variable("TOPOMP_NONBLOCKING"), variable("TOPOMP_TUNING")};
}

background_wish environment::own_wish() {
    const std::string parts = variable("TOPOMP_PRELOAD");
    if (!parts.empty() && std::ranges::count(words_of(parts), "collectives") == 0)
        return background_wish::never;
    return wish_of(variable("TOPOMP_NONBLOCKING"));
}

void environment::share() {
    for (std::string* const each :
         {&parts, &verbs, &policy, &machine, &place, &report, &nonblocking, &tuning})
        *each = mpi::bcast_text(std::move(*each), 0, MPI_COMM_WORLD, "environment of rank 0");
}

settings read_settings(const environment& variables, std::vector<std::string>& complaints) {
    settings result;
    read_parts(variables.parts, result, complaints);
    read_verbs(variables.verbs, result, complaints);
    read_machine(variables, result, complaints);
    read_report(variables.report, result, complaints);
    read_nonblocking(variables.nonblocking, result, complaints);
    return result;
}

} // namespace topo::preload
