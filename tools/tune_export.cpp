// SPDX-License-Identifier: BSL-1.0
#include "tune_export.hpp"

#include "mpi_names.hpp"
#include "mpich_choices.hpp"
#include <topomp/algorithm/shape.hpp>
#include <topomp/core/error.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/plan/plan_of.hpp>
#include <topomp/plan/policy.hpp>

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

/// The plan of the table that has the same name: in one piece, by the ranks' places.
plan without_pieces(plan one) {
    one.whole_bytes = 0;
    if (one.uses != algorithm::tree) return one;
    one.tree.segment_bytes = 0;
    one.tree.ignores_placement = false;
    return one;
}

const mpi_name* equal_of(verb what, const plan& one) {
    const plan named = without_pieces(one);
    const auto* const found = std::ranges::find_if(
        mpi_names, [&](const mpi_name& each) { return each.what == what && *each.by == named; });
    return found == mpi_names.end() ? nullptr : found;
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
    const mpi_name* const found = equal_of(what, one);
    if (found == nullptr || found->ompi == 0) return std::nullopt;
    const bool has_segments =
        one.uses == algorithm::tree && (what == verb::broadcast || what == verb::reduce);
    return ompi_algorithm{found->ompi, has_segments ? static_cast<int>(one.tree.segment_bytes) : 0};
}

std::optional<std::string> mpich_equal(verb what, const plan& one) {
    if (one.uses == algorithm::flat) return "";
    const mpi_name* const found = equal_of(what, one);
    if (found == nullptr || found->mpich.empty() || one.tree.segment_bytes > 0) return std::nullopt;
    return std::string{found->mpich};
}

std::vector<const plan*> plans_of_mpi(const detail::call_key& now) {
    static constexpr std::array in_pieces{&plan_of<segmented<8192, chain>>, &plan_of<segmented<32768, chain>>,
                                          &plan_of<segmented<131072, chain>>,
                                          &plan_of<segmented<32768, binary>>};
#ifdef MPICH_VERSION
    constexpr auto has_equal = &has_mpich;
#else
    constexpr auto has_equal = &has_ompi;
#endif
    std::vector<const plan*> plans;
    const auto add = [&](const plan* each) {
        if (detail::can_serve(*each, now) && has_equal(now.what, *each)) plans.push_back(each);
    };
    for (const mpi_name& each : mpi_names) {
        if (each.what != now.what) continue;
        add(each.by);
        if (now.what != verb::broadcast && now.what != verb::reduce) continue;
        for (const plan* const one : in_pieces)
            if (without_pieces(*one) == *each.by) add(one);
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
