// SPDX-License-Identifier: BSL-1.0
#include "render.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace topo::tool {

namespace {

const outline::communicator& at(const outline& all, int position) {
    return all.communicators[static_cast<std::size_t>(position)];
}

void render_branch(std::ostream& out, const outline& all, const outline::communicator& comm,
                   const std::string& indent) {
    for (const int position : comm.children) {
        const auto& child = at(all, position);
        const bool is_last = position == comm.children.back();
        out << indent << (is_last ? "└─ " : "├─ ") << title(child) << ", " << child.index << " of "
            << child.count << ", ranks " << rank_list(child.ranks);
        if (!child.children.empty()) out << ", roots below " << rank_list(all.roots_below(child));
        out << '\n';
        render_branch(out, all, child, indent + (is_last ? "   " : "│  "));
    }
}

/// Pointers to all but the whole, by depth and then root: the order in which collectives would meet them.
std::vector<const outline::communicator*> by_depth(const outline& all) {
    std::vector<const outline::communicator*> sorted;
    for (const auto& comm : all.communicators)
        if (comm.depth >= 0) sorted.push_back(&comm);
    std::ranges::sort(sorted, {}, [](const auto* comm) { return std::pair{comm->depth, comm->root()}; });
    return sorted;
}

std::string dot_label(const outline::communicator& comm) {
    std::string text{'"'};
    for (const char c : title(comm)) {
        if (c == '"' || c == '\\') text += '\\';
        text += c;
    }
    return text + "\\nranks " + rank_list(comm.ranks) + '"';
}

} // namespace

std::string rank_list(std::span<const int> ranks) {
    std::string text;
    for (std::size_t i = 0; i < ranks.size();) {
        std::size_t last = i;
        while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1)
            ++last;
        if (!text.empty()) text += ',';
        text += std::to_string(ranks[i]);
        if (last > i) text += (last == i + 1 ? ',' : '-') + std::to_string(ranks[last]);
        i = last + 1;
    }
    return text;
}

std::string title(const outline::communicator& comm) {
    std::string text{to_string(comm.type)};
    const char* separator = " (also ";
    for (const kind other : comm.also)
        text.append(std::exchange(separator, ", ")).append(to_string(other));
    if (!comm.also.empty()) text += ')';
    if (comm.type != kind::cluster) text += ' ' + comm.name;
    return text;
}

void render_text(std::ostream& out, const outline& all) {
    out << title(all.whole()) << ", " << all.size() << (all.size() == 1 ? " rank" : " ranks");
    if (!all.whole().children.empty()) out << ", roots below " << rank_list(all.roots_below(all.whole()));
    out << '\n';
    render_branch(out, all, all.whole(), "");
}

void render_json(std::ostream& out, const outline& all) {
    using nlohmann::ordered_json;
    ordered_json communicators = ordered_json::array(), roots = ordered_json::array();
    for (const auto* comm : by_depth(all)) {
        ordered_json also = ordered_json::array();
        for (const kind other : comm->also)
            also.push_back(to_string(other));
        communicators.push_back({{"depth", comm->depth},
                                 {"type", to_string(comm->type)},
                                 {"also", also},
                                 {"name", comm->name},
                                 {"index", comm->index},
                                 {"count", comm->count},
                                 {"ranks", comm->ranks}});
    }
    const auto add_roots = [&](const outline::communicator& parent) {
        if (!parent.children.empty())
            roots.push_back({{"depth", parent.depth + 1}, {"ranks", all.roots_below(parent)}});
    };
    add_roots(all.whole());
    for (const auto* comm : by_depth(all))
        add_roots(*comm);
    const ordered_json document{{"size", all.size()},
                                {"max_depth", all.max_depth()},
                                {"communicators", communicators},
                                {"roots", roots}};
    // Names come from files and need not be UTF-8.
    out << document.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

void render_dot(std::ostream& out, const outline& all) {
    out << "digraph hierarchy {\n  node [shape=box, fontname=\"sans-serif\"];\n";
    for (std::size_t i = 0; i < all.communicators.size(); ++i) {
        out << "  c" << i << " [label=" << dot_label(all.communicators[i]) << "];\n";
        for (const int child : all.communicators[i].children)
            out << "  c" << i << " -> c" << child << ";\n";
    }
    out << "}\n";
}

} // namespace topo::tool
