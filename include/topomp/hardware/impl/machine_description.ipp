// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/machine_description.hpp>
#include <topomp/hardware/machine.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

TOPOMP_INLINE std::vector<machine::node> machine_description::read() {
    const block all = read_block(0);
    if (at_ != text_.size()) fail(at_, "')' without '('");
    if (count_nodes(all) > most_nodes) fail(0, "more than " + std::to_string(most_nodes) + " nodes");
    build(all, {});
    return std::move(nodes_);
}

TOPOMP_INLINE void machine_description::fail(std::size_t position, std::string_view problem) const {
    throw input_error("topo::machine::parse", '"' + std::string{text_} + '"',
                      "column " + std::to_string(position + 1) + ": " + std::string{problem});
}

TOPOMP_INLINE void machine_description::skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0)
        ++at_;
}

TOPOMP_INLINE char machine_description::peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
}

TOPOMP_INLINE bool machine_description::take(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
}

TOPOMP_INLINE machine_description::block machine_description::read_block(std::size_t switches_above) {
    block result{read_alternative(switches_above)};
    while (take(';'))
        result.push_back(read_alternative(switches_above));
    return result;
}

TOPOMP_INLINE machine_description::alternative
machine_description::read_alternative(std::size_t switches_above) {
    alternative result;
    const std::size_t start = (skip_space(), at_);
    std::string inside; // hwloc's synthetic description of a node
    std::vector<std::string> kinds;
    bool has_core = false, has_pu = false, in_node = false;
    int cpus = 1;
    while (peek() != '\0' && peek() != ';' && peek() != ')') {
        if (const std::size_t opening = at_; take('(')) {
            if (result.switches.empty() || in_node) fail(opening, "'(' belongs behind a switch");
            result.inner = read_block(switches_above + result.switches.size());
            if (!take(')')) fail(opening, "this '(' is never closed");
            if (peek() != '\0' && peek() != ';' && peek() != ')') fail(at_, "expected ';' or the end");
            return result;
        }
        const item next = read_item();
        if (next.kind == "switch") {
            if (in_node) fail(next.column, "a switch cannot be inside a node");
            if (switches_above + result.switches.size() == most_switch_levels)
                fail(next.column, "more than " + std::to_string(most_switch_levels) + " levels of switches");
            result.switches.push_back(next.count);
            continue;
        }
        if (next.kind == "node") {
            if (in_node) fail(next.column, "a node cannot be inside a node");
            result.node_count = next.count;
            in_node = true;
            continue;
        }
        in_node = true;
        if (has_pu) fail(next.column, "nothing can be inside a PU");
        check_repetition(next, kinds);
        kinds.push_back(next.kind);
        has_core = has_core || next.kind == "Core";
        has_pu = next.kind == "PU";
        inside += (inside.empty() ? "" : " ") + next.kind;
        if (!next.kind.empty()) inside += ':' + std::to_string(next.count);
        inside += next.attributes;
        if (next.count > most_cpus / cpus)
            fail(next.column, "more than " + std::to_string(most_cpus) + " CPUs in a node");
        cpus *= next.count;
    }
    if (start == at_) fail(at_, "expected a kind and a count, such as node:4");
    if (!has_core && !has_pu) inside += " Core:1";
    if (!has_pu) inside += " PU:1";
    result.hardware = load(start, inside);
    return result;
}

TOPOMP_INLINE void machine_description::check_repetition(const item& next,
                                                         const std::vector<std::string>& kinds) const {
    const auto has = [&](std::string_view which) { return std::ranges::find(kinds, which) != kinds.end(); };
    if ((next.kind.empty() && has("NUMANode")) || (next.kind == "NUMANode" && has("")))
        fail(next.column, "NUMA nodes are either a level or attached in brackets");
    if (!next.kind.empty() && next.kind != "Group" && has(next.kind))
        fail(next.column, "a second level of the kind " + next.kind);
}

TOPOMP_INLINE machine_description::item machine_description::read_item() {
    item result{at_, {}, 1, {}};
    if (peek() == '[') {
        result.attributes = read_bracketed('[', ']');
        return result;
    }
    std::string word;
    while (at_ < text_.size() && std::isalnum(static_cast<unsigned char>(text_[at_])) != 0)
        word += static_cast<char>(std::tolower(static_cast<unsigned char>(text_[at_++])));
    if (word.empty()) fail(at_, std::string{"unexpected '"} + text_[at_] + '\'');
    result.kind = canonical(result.column, word);
    if (at_ == text_.size() || text_[at_] != ':') fail(at_, "expected ':' and a count behind " + word);
    ++at_;
    const auto [next, failure] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), result.count);
    if (failure != std::errc{} || result.count < 1 || result.count > most_nodes)
        fail(at_, "expected a count from 1 to " + std::to_string(most_nodes) + " for " + word);
    at_ = static_cast<std::size_t>(next - text_.data());
    if (at_ < text_.size() && text_[at_] == '(' && result.kind != "switch" && result.kind != "node")
        result.attributes = read_bracketed('(', ')');
    return result;
}

TOPOMP_INLINE std::string machine_description::read_bracketed(char open, char close) {
    const std::size_t end = text_.find(close, at_);
    if (end == std::string_view::npos) fail(at_, std::string{"this '"} + open + "' is never closed");
    const std::string_view taken = text_.substr(at_, end + 1 - at_);
    at_ = end + 1;
    return std::string{taken};
}

TOPOMP_INLINE std::string machine_description::canonical(std::size_t column, const std::string& word) const {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 22> names{
        {{"switch", "switch"},   {"node", "node"},       {"machine", "node"},
         {"group", "Group"},     {"package", "Package"}, {"socket", "Package"},
         {"die", "Die"},         {"numa", "NUMANode"},   {"numanode", "NUMANode"},
         {"l5", "L5Cache"},      {"l5cache", "L5Cache"}, {"l4", "L4Cache"},
         {"l4cache", "L4Cache"}, {"l3", "L3Cache"},      {"l3cache", "L3Cache"},
         {"l2", "L2Cache"},      {"l2cache", "L2Cache"}, {"l1", "L1Cache"},
         {"l1cache", "L1Cache"}, {"core", "Core"},       {"pu", "PU"},
         {"l1d", "L1Cache"}}};
    for (const auto& [known, canonical_name] : names)
        if (known == word) return std::string{canonical_name};
    fail(column,
         "unknown kind '" + word + "' (known: switch node package die numa group l5 l4 l3 l2 l1 core pu)");
}

TOPOMP_INLINE std::shared_ptr<const topology> machine_description::load(std::size_t column,
                                                                        const std::string& inside) {
    auto& known = loaded_[inside];
    try {
        if (!known) known = std::make_shared<const topology>(topology::from_synthetic(inside));
    } catch (const input_error&) {
        fail(column, "hwloc cannot build a node from '" + inside + '\'');
    }
    return known;
}

TOPOMP_INLINE long machine_description::count_nodes(const block& from) {
    long sum = 0;
    for (const auto& choice : from) {
        long nodes = choice.hardware ? choice.node_count : count_nodes(choice.inner);
        for (const int switches : choice.switches)
            nodes = std::min<long>(nodes * switches, most_nodes + 1L);
        sum = std::min<long>(sum + nodes, most_nodes + 1L);
    }
    return sum;
}

TOPOMP_INLINE void machine_description::build(const block& from, const std::vector<std::string>& above) {
    int number = 0; // switches of one parent are numbered through all alternatives
    for (const auto& choice : from)
        build(choice, 0, above, number);
}

TOPOMP_INLINE void machine_description::build(const alternative& choice, std::size_t depth,
                                              const std::vector<std::string>& above, int& number) {
    if (depth == choice.switches.size()) {
        if (!choice.hardware) return build(choice.inner, above);
        for (int i = 0; i < choice.node_count; ++i) {
            nodes_.push_back({"node" + std::to_string(nodes_.size()), above, choice.hardware});
        }
        return;
    }
    for (int i = 0; i < choice.switches[depth]; ++i) {
        auto path = above;
        path.push_back((above.empty() ? "switch" : above.back() + '.') + std::to_string(number++));
        int inner_number = 0;
        build(choice, depth + 1, path, inner_number);
    }
}

} // namespace topo::detail

namespace topo {

TOPOMP_INLINE machine machine::parse(std::string_view description) {
    return machine{detail::machine_description{description}.read()};
}

} // namespace topo
