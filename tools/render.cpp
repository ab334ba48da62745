// SPDX-License-Identifier: BSL-1.0
#include "render.hpp"

#include <topomp/hierarchy/detail/trail.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
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
    struct entry {
        int depth, root;
        const outline::communicator* comm;
    };
    std::vector<entry> entries;
    entries.reserve(all.communicators.size());
    for (const auto& comm : all.communicators)
        if (comm.depth >= 0) entries.push_back({comm.depth, comm.root(), &comm});
    std::ranges::sort(entries, {}, [](const entry& each) { return std::pair{each.depth, each.root}; });
    std::vector<const outline::communicator*> sorted;
    sorted.reserve(entries.size());
    for (const auto& each : entries)
        sorted.push_back(each.comm);
    return sorted;
}

/// Compact JSON, written as it comes: of a million ranks, a document in memory would take gigabytes.
class json_writer {
public:
    explicit json_writer(std::ostream& out) : out_(out) {}
    json_writer(const json_writer&) = delete;
    json_writer& operator=(const json_writer&) = delete;
    ~json_writer() { out_ << text_; }

    /// What JSON itself consists of.
    json_writer& operator<<(std::string_view syntax) {
        constexpr std::size_t enough = 1 << 16;
        if (text_.size() > enough) {
            out_ << text_;
            text_.clear();
        }
        text_ += syntax;
        return *this;
    }
    json_writer& operator<<(int number) {
        std::array<char, 16> digits{};
        const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
        return *this << std::string_view{digits.data(), static_cast<std::size_t>(end - digits.data())};
    }
    json_writer& string(std::string_view text) {
        const bool is_plain =
            std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
        if (is_plain) return *this << "\"" << text << "\"";
        // Names come from files and need not be UTF-8.
        using nlohmann::json;
        return *this << json(text).dump(-1, ' ', false, json::error_handler_t::replace);
    }
    template <class Range, class Write>
    json_writer& list(const Range& range, Write write) {
        *this << "[";
        std::string_view separator;
        for (const auto& each : range) {
            *this << std::exchange(separator, ",");
            write(each);
        }
        return *this << "]";
    }
    json_writer& numbers(std::span<const int> all) {
        return list(all, [this](int number) { *this << number; });
    }
    json_writer& kinds(const std::vector<kind>& all) {
        return list(all, [this](kind each) { string(to_string(each)); });
    }

private:
    std::ostream& out_;
    std::string text_;
};

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
    if (const auto others = detail::kinds_text(comm.also, comm.ranks_within); !others.empty())
        text.append(" (").append(others).append(")");
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
    json_writer json{out};
    const auto sorted = by_depth(all);
    json << "{\"size\":" << all.size() << ",\"max_depth\":" << all.max_depth() << ",\"communicators\":";
    json.list(sorted, [&](const outline::communicator* comm) {
        json << "{\"depth\":" << comm->depth << ",\"type\":";
        json.string(to_string(comm->type)) << ",\"also\":";
        json.kinds(comm->also) << ",\"ranks_within\":";
        json.kinds(comm->ranks_within) << ",\"name\":";
        json.string(comm->name) << ",\"index\":" << comm->index << ",\"count\":" << comm->count
                                << ",\"ranks\":";
        json.numbers(comm->ranks) << "}";
    });
    std::vector<const outline::communicator*> parents;
    if (!all.whole().children.empty()) parents.push_back(&all.whole());
    std::ranges::copy_if(sorted, std::back_inserter(parents),
                         [](const auto* comm) { return !comm->children.empty(); });
    json << ",\"roots\":";
    json.list(parents, [&](const outline::communicator* parent) {
        json << "{\"depth\":" << parent->depth + 1 << ",\"ranks\":";
        json.numbers(all.roots_below(*parent)) << "}";
    });
    json << "}\n";
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
