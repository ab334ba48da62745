// SPDX-License-Identifier: BSL-1.0
// Prints the registry of algorithms as the table of docs/collectives.md.
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>

#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

namespace {

using topo::detail::algorithm_row;
using topo::detail::verb;
using topo::detail::verb_names;
using topo::detail::verbs;

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& each : names)
        text.append(text.empty() ? "" : ", ").append(each);
    return text;
}

/// The members of a set, or what is missing if that is shorter.
std::string text_of(const verbs& set) {
    std::vector<std::string> members, missing;
    for (std::size_t i = 0; i < verb_names.size(); ++i)
        (set.contains(static_cast<verb>(i)) ? members : missing).emplace_back(verb_names[i]);
    if (members.empty()) return "none";
    if (missing.empty()) return "all";
    return missing.size() < members.size() / 2 ? "all but " + joined(missing) : joined(members);
}

/// Whether operands are combined in the order of ranks; of algorithms that combine nothing there is no such
/// question.
std::string order_of(const algorithm_row& row) {
    for (std::size_t i = 0; i < verb_names.size(); ++i)
        if (const auto each = static_cast<verb>(i); row.serves.contains(each) && topo::detail::combines(each))
            return row.keeps_order ? "yes" : "no";
    return "-";
}

} // namespace

int main() {
    std::cout << "| algorithm | what it does | verbs | keeps rank order | non-blocking verbs | "
                 "source |\n"
                 "| --- | --- | --- | --- | --- | --- |\n";
    for (const algorithm_row& row : topo::detail::algorithm_rows)
        std::cout << "| `" << row.name << "` | " << row.does << " | " << text_of(row.serves) << " | "
                  << order_of(row) << " | " << text_of(row.in_background) << " | " << row.source << " |\n";
    return std::cout.good() ? 0 : 1;
}
