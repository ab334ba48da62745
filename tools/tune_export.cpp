// SPDX-License-Identifier: BSL-1.0
#include "tune_export.hpp"

#include "mpich_choices.hpp"
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/plan_text.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <sstream>
#include <string_view>
#include <utility>

namespace topo::tool {

namespace {

using detail::algorithm;
using detail::tuning_file;
using detail::verb;
using json = nlohmann::ordered_json;

/// Algorithms of the same name. Ours follow the levels of the machine, theirs the ranks' numbers.
struct same_name {
    verb what{};
    std::string_view plan;
    int ompi = 0;           ///< 0: none
    std::string_view mpich; ///< empty: none
};

/// Of Open MPI (4.1) the numbers in coll_tuned_*_decision.c; of MPICH (4.0) the names in coll_algorithms.txt.
constexpr auto same_names = std::to_array<same_name>({
    {verb::barrier, "linear", 1, ""},
    {verb::barrier, "recursive_doubling", 3, ""},
    {verb::barrier, "dissemination", 4, "dissemination"},
    {verb::barrier, "binomial", 6, ""},
    {verb::broadcast, "linear", 1, ""},
    {verb::broadcast, "chain", 3, ""}, // pipeline
    {verb::broadcast, "split_binary", 4, ""},
    {verb::broadcast, "binary", 5, ""},
    {verb::broadcast, "binomial", 6, "binomial"},
    {verb::broadcast, "recursive_doubling", 8, "scatter_recursive_doubling_allgather"},
    {verb::reduce, "linear", 1, ""},
    {verb::reduce, "chain", 3, ""},
    {verb::reduce, "binary", 4, ""},
    {verb::reduce, "binomial", 5, "binomial"},
    {verb::reduce, "in_order_binary", 6, ""},
    {verb::reduce, "rabenseifner", 7, "reduce_scatter_gather"},
    {verb::all_reduce, "linear", 1, ""},
    {verb::all_reduce, "recursive_doubling", 3, "recursive_doubling"},
    {verb::all_reduce, "ring", 4, ""},
    {verb::all_reduce, "rabenseifner", 6, "reduce_scatter_allgather"},
    {verb::gather, "linear", 1, ""},
    {verb::gather, "binomial", 2, ""},
    {verb::scatter, "linear", 1, ""},
    {verb::scatter, "binomial", 2, ""},
    {verb::all_gather, "linear", 1, ""},
    {verb::all_gather, "bruck", 2, "brucks"},
    {verb::all_gather, "recursive_doubling", 3, "recursive_doubling"},
    {verb::all_gather, "ring", 4, "ring"},
    {verb::all_gather, "neighbour_exchange", 5, ""},
    {verb::all_gatherv, "bruck", 2, "brucks"},
    {verb::all_gatherv, "recursive_doubling", 0, "recursive_doubling"},
    {verb::all_gatherv, "ring", 3, "ring"},
    {verb::all_gatherv, "neighbour_exchange", 4, ""},
    {verb::all_to_all, "pairwise", 2, "pairwise"},
    {verb::all_to_all, "bruck", 3, "brucks"},
    {verb::all_to_allv, "pairwise", 2, ""},
    {verb::reduce_scatter, "recursive_halving", 3, "recursive_halving"},
    {verb::scan, "chain", 1, ""},
    {verb::exclusive_scan, "chain", 1, ""},
});

/// A plan's algorithm by its usual name; empty: it has none.
std::string usual_name(const plan& one) {
    switch (one.uses) {
    case algorithm::tree: {
        plan shape = one;
        if (one.tree.node_aware || one.tree.through != detail::node_leader::none ||
            one.tree.rules.size() != 1)
            return {};
        shape.tree.segment_bytes = 0;
        shape.tree.ignores_placement = false;
        return to_string(shape);
    }
    case algorithm::split_trees:
        return one.tree.through == detail::node_leader::none && one.tree.segment_bytes == 0 ? to_string(one)
                                                                                            : "";
    case algorithm::recursive_doubling:
        return one.radix == 2 ? "recursive_doubling" : "";
    case algorithm::recursive_halving:
        return one.radix == 2 ? "recursive_halving" : "";
    case algorithm::rabenseifner:
        return one.radix == 2 ? "rabenseifner" : "";
    default:
        return has_parameters(one.uses) ? "" : std::string{row_of(one.uses).name};
    }
}

const same_name* equal_of(verb what, const plan& one) {
    const std::string name = usual_name(one);
    const auto* const found = std::ranges::find_if(
        same_names, [&](const same_name& each) { return each.what == what && each.plan == name; });
    return found == same_names.end() ? nullptr : found;
}

bool has_ompi(verb what, const plan& one) { return ompi_equal(what, one).has_value(); }
bool has_mpich(verb what, const plan& one) { return mpich_equal(what, one).has_value(); }

/// Of Open MPI's collectives: the number, and whether rules by length can be used. It asks for a scatter's
/// length with arguments that count on the root only, and for that of scans without their number of elements.
struct ompi_collective {
    verb what{};
    int id = 0;
    bool has_lengths = true;
    bool counts_all = false; ///< whether bytes are those of all blocks
};
constexpr auto ompi_collectives = std::to_array<ompi_collective>({
    {verb::all_gather, 0, true, true},
    {verb::all_gatherv, 1, true, false},
    {verb::all_reduce, 2},
    {verb::all_to_all, 3, true, true},
    {verb::all_to_allv, 4, false},
    {verb::barrier, 6, false},
    {verb::broadcast, 7},
    {verb::exclusive_scan, 8, false},
    {verb::gather, 9, true, true},
    {verb::reduce, 11},
    {verb::reduce_scatter, 13},
    {verb::scan, 14, false},
    {verb::scatter, 15, false, true},
});

struct ompi_rule {
    std::size_t from = 0;
    ompi_algorithm by;
};

std::vector<ompi_rule> rules_of(const ompi_collective& one, const std::vector<best_equal>& all, int ranks) {
    std::vector<ompi_rule> rules;
    for (const best_equal& each : all) {
        if (each.what != one.what) continue;
        const std::size_t factor = one.counts_all ? static_cast<std::size_t>(ranks) : 1;
        const ompi_rule rule{each.from_bytes * factor, *ompi_equal(each.what, each.best->chosen)};
        if (rules.empty() || !(rules.back().by == rule.by)) rules.push_back(rule);
    }
    const bool is_own_choice = rules.size() == 1 && rules.front().by.id == 0;
    if (is_own_choice || (!one.has_lengths && rules.size() > 1)) rules.clear();
    return rules;
}

// ---- MPICH

/// Of MPICH's collectives: the condition on bytes, and whether these are of all ranks' blocks.
struct mpich_collective {
    verb what{};
    std::string_view name, length;
    bool counts_all = false;
};
constexpr auto mpich_collectives = std::to_array<mpich_collective>({
    {verb::barrier, "barrier", "", false},
    {verb::broadcast, "bcast", "avg_msg_size", false},
    {verb::reduce, "reduce", "avg_msg_size", false},
    {verb::all_reduce, "allreduce", "avg_msg_size", false},
    {verb::all_gather, "allgather", "total_msg_size", true},
    {verb::all_gatherv, "allgatherv", "total_msg_size", true},
    {verb::all_to_all, "alltoall", "avg_msg_size", false},
    {verb::reduce_scatter, "reduce_scatter_block", "total_msg_size", false},
});

json mpich_leaf(std::string_view collective, std::string_view algorithm) {
    std::string name{collective};
    name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return {{"algorithm=MPIR_" + name + '_' + std::string{algorithm}, json::object()}};
}

/// What MPICH chooses by itself for a collective.
json mpich_default(std::string_view collective) {
    json tree = json::object();
    for (const mpich_choice& each : mpich_choices) {
        if (each.collective != collective) continue;
        json* node = &tree;
        std::istringstream conditions{std::string{each.conditions}};
        for (std::string word; conditions >> word;)
            node = &(*node)[word == "intra" || word == "inter" ? "comm_type=" + word : word];
        *node = mpich_leaf(each.collective, each.algorithm);
    }
    return tree;
}

/// One of the algorithms, where it can be used.
json mpich_leaf_where_right(const mpich_collective& one, const std::string& name) {
    const bool splits = name == "reduce_scatter_gather" || name == "reduce_scatter_allgather";
    json leaf = mpich_leaf(one.name, "intra_" + name);
    if (!splits) return leaf;
    const json short_one =
        mpich_leaf(one.name, one.what == verb::reduce ? "intra_binomial" : "intra_recursive_doubling");
    return {{"is_op_built_in=yes", {{"count<pow2", short_one}, {"count=any", std::move(leaf)}}},
            {"is_op_built_in=no", short_one}};
}

json mpich_rules_of(const mpich_collective& one, const std::vector<best_equal>& all, int ranks,
                    const json& own_choice) {
    std::vector<std::pair<std::size_t, std::string>> rules; // from how many bytes on which algorithm
    for (const best_equal& each : all)
        if (each.what == one.what) {
            const std::string name = *mpich_equal(each.what, each.best->chosen);
            if (!rules.empty() && rules.back().second == name) continue;
            rules.emplace_back(each.from_bytes * (one.counts_all ? static_cast<std::size_t>(ranks) : 1),
                               name);
        }
    if (std::ranges::all_of(rules, [](const auto& each) { return each.second.empty(); })) return {};
    json tree = json::object();
    for (std::size_t i = 0; i < rules.size(); ++i) {
        json leaf = rules[i].second.empty() ? own_choice : mpich_leaf_where_right(one, rules[i].second);
        if (one.length.empty()) return leaf;
        const std::string bytes{one.length};
        tree[i + 1 < rules.size() ? bytes + '<' + std::to_string(rules[i + 1].first) : bytes + "=any"] =
            std::move(leaf);
    }
    if (detail::combines(one.what))
        tree = {{"is_commutative=yes", std::move(tree)}, {"is_commutative=no", own_choice}};
    if (one.what == verb::all_to_all)
        tree = {{"is_sendbuf_inplace=yes", mpich_leaf(one.name, "intra_pairwise_sendrecv_replace")},
                {"is_sendbuf_inplace=no", std::move(tree)}};
    return tree;
}

} // namespace

std::optional<ompi_algorithm> ompi_equal(verb what, const plan& one) {
    if (one.uses == algorithm::flat) return ompi_algorithm{};
    const same_name* const found = equal_of(what, one);
    if (found == nullptr || found->ompi == 0) return std::nullopt;
    const bool has_segments =
        one.uses == algorithm::tree && (what == verb::broadcast || what == verb::reduce);
    return ompi_algorithm{found->ompi, has_segments ? static_cast<int>(one.tree.segment_bytes) : 0};
}

std::optional<std::string> mpich_equal(verb what, const plan& one) {
    if (one.uses == algorithm::flat) return "";
    const same_name* const found = equal_of(what, one);
    if (found == nullptr || found->mpich.empty() || one.tree.segment_bytes > 0) return std::nullopt;
    return std::string{found->mpich};
}

std::vector<const plan*> plans_of_mpi(const detail::call_key& now) {
    static constexpr std::array all{&plan_of<linear>,
                                    &plan_of<chain>,
                                    &plan_of<segmented<8192, chain>>,
                                    &plan_of<segmented<32768, chain>>,
                                    &plan_of<segmented<131072, chain>>,
                                    &plan_of<binary>,
                                    &plan_of<segmented<32768, binary>>,
                                    &plan_of<binomial>,
                                    &plan_of<in_order_binary>,
                                    &plan_of<split_binary>,
                                    &plan_of<ring>,
                                    &plan_of<neighbour_exchange>,
                                    &plan_of<bruck>,
                                    &plan_of<pairwise>,
                                    &plan_of<dissemination>,
                                    &plan_of<recursive_doubling>,
                                    &plan_of<recursive_halving>,
                                    &plan_of<rabenseifner>};
#ifdef MPICH_VERSION
    constexpr auto has_equal = &has_mpich;
#else
    constexpr auto has_equal = &has_ompi;
#endif
    std::vector<const plan*> plans;
    for (const plan* const each : all) {
        const bool is_segmented = each->tree.segment_bytes > 0;
        if (detail::can_serve(*each, now) && has_equal(now.what, *each) &&
            (!is_segmented || now.what == verb::broadcast || now.what == verb::reduce))
            plans.push_back(each);
    }
    return plans;
}

std::vector<best_equal> best_equals(const tuning_file& file, bool (*has_equal)(verb, const plan&)) {
    std::vector<best_equal> all;
    for (const tuning_file::row& each : file.rows) {
        if ((!each.is_commutative && !detail::is_scan(each.what)) || !has_equal(each.what, each.chosen))
            continue;
        const auto found = std::ranges::find_if(all, [&](const best_equal& one) {
            return one.what == each.what && one.from_bytes == each.bytes;
        });
        if (found == all.end())
            all.push_back({each.what, each.bytes, &each});
        else if (each.seconds < found->best->seconds)
            found->best = &each;
    }
    std::ranges::sort(all, {}, [](const best_equal& each) { return std::pair{each.what, each.from_bytes}; });
    std::size_t before = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const std::size_t bytes = all[i].from_bytes;
        const bool is_first = i == 0 || all[i - 1].what != all[i].what;
        all[i].from_bytes = is_first ? 0
                                     : static_cast<std::size_t>(std::sqrt(static_cast<double>(before) *
                                                                          static_cast<double>(bytes)));
        before = bytes;
    }
    return all;
}

std::string ompi_rules(const tuning_file& file) {
    const int ranks = file.from.ranks;
    const auto best = best_equals(file, &has_ompi);
    std::vector<std::pair<ompi_collective, std::vector<ompi_rule>>> found;
    for (const ompi_collective& each : ompi_collectives)
        if (auto rules = rules_of(each, best, ranks); !rules.empty())
            found.emplace_back(each, std::move(rules));
    if (found.empty())
        throw usage_error("topomp tune", "--export ompi",
                          "of no verb an algorithm that Open MPI has is faster than its own choice");
    std::ostringstream out;
    out << "# Open MPI, by topomp tune: " << file.from.nodes << " nodes, " << ranks << " ranks, "
        << file.from.date << "\n# mpirun --mca coll_tuned_use_dynamic_rules 1 "
        << "--mca coll_tuned_dynamic_rules_filename FILE\n"
        << found.size() << " # collectives\n";
    for (const auto& [what, rules] : found) {
        // Other numbers of ranks are left to Open MPI: it takes the rules of the next smaller number.
        out << what.id << " # " << to_string(what.what) << "\n3 # numbers of ranks\n0 1\n0 0 0 0\n"
            << ranks << ' ' << rules.size() << '\n';
        for (const ompi_rule& each : rules) // from bytes, algorithm, fan-out, bytes of a segment
            out << each.from << ' ' << each.by.id << " 0 " << each.by.segment_bytes << '\n';
        out << ranks + 1 << " 1\n0 0 0 0\n";
    }
    return out.str();
}

std::string mpich_rules(const tuning_file& file) {
    const int ranks = file.from.ranks;
    // All-gathers by doubling need a power of two.
    const auto best = best_equals(
        file,
        std::has_single_bit(static_cast<unsigned>(ranks)) ? &has_mpich : [](verb what, const plan& one) {
            const bool doubles = one.uses == algorithm::recursive_doubling;
            return has_mpich(what, one) &&
                   !(doubles && (what == verb::all_gather || what == verb::all_gatherv));
        });
    json all = json::object();
    for (const mpich_choice& each : mpich_choices)
        if (const std::string name = "collective=" + std::string{each.collective}; !all.contains(name))
            all[name] = mpich_default(each.collective);
    bool has_rules = false;
    for (const mpich_collective& each : mpich_collectives) {
        json& intra = all["collective=" + std::string{each.name}]["comm_type=intra"];
        json rules = mpich_rules_of(each, best, ranks, intra);
        if (rules.is_null()) continue;
        has_rules = true;
        const json own = intra;
        intra = {{"comm_size<" + std::to_string(ranks), own},
                 {"comm_size<=" + std::to_string(ranks), std::move(rules)},
                 {"comm_size=any", own}};
    }
    if (!has_rules)
        throw usage_error("topomp tune", "--export mpich",
                          "of no verb an algorithm that MPICH has is faster than its own choice");
    return all.dump(1) + '\n';
}

} // namespace topo::tool
