// SPDX-License-Identifier: BSL-1.0
// The outline of random machines, bindings and options against a brute-force search that starts from the
// definitions: the set of ranks that each object contains, by hwloc's CPU sets alone.
#include "support/files.hpp"
#include "support/outline_text.hpp"
#include "support/repetitions.hpp"
#include <topomp/hardware/placement.hpp>
#include <topomp/hierarchy/outline.hpp>

#include <doctest/doctest.h>
#include <hwloc.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace outline_property_tests {

namespace {

using topo::cpu_set;
using topo::kind;
using topo::machine;
using topo::outline;
using topo::seat;
using rank_set = std::set<int>;

bool includes(const rank_set& outer, const rank_set& inner) { return std::ranges::includes(outer, inner); }

// ---- the oracle -----------------------------------------------------------------------------------------

/// An object of the machine that may become a level, and the ranks whose whole binding it contains.
struct known_object {
    kind type{};
    std::string name;
    int nesting = 0; ///< greater is further inside, among objects around the same ranks
    rank_set ranks;
    std::set<std::pair<int, int>> pus; ///< node and CPU
};

/// One communicator as the definitions have it.
struct expected_communicator {
    int depth = -1;
    kind type = kind::cluster;
    std::vector<kind> also, ranks_within;
    std::string name = "System - Cluster";
    int index = 0, count = 1;
    rank_set ranks, parent;
    std::vector<int> roots_below;
};

class oracle {
public:
    oracle(const machine& on, const std::vector<seat>& seats, const topo::hierarchy_options& options)
        : on_(on), seats_(seats), options_(options) {
        add_switches();
        for (int node = 0; node < static_cast<int>(on.nodes().size()); ++node)
            add_node(node);
    }

    /// By their sets of ranks.
    std::map<rank_set, expected_communicator> communicators() const {
        rank_set all;
        for (int rank = 0; rank < static_cast<int>(seats_.size()); ++rank)
            all.insert(rank);
        std::map<rank_set, expected_communicator> result;
        result[all].ranks = all;
        for (const auto& object : objects_)
            if (!object.ranks.empty()) result[object.ranks].ranks = object.ranks;
        for (auto& [ranks, one] : result) {
            name(one);
            const rank_set* parent = nullptr;
            for (const auto& [other, ignored] : result) {
                if (other.size() <= ranks.size() || !includes(other, ranks)) continue;
                ++one.depth;
                if (parent == nullptr || other.size() < parent->size()) parent = &other;
            }
            if (parent != nullptr) one.parent = *parent;
        }
        std::erase_if(
            result, [&](const auto& entry) { return entry.second.depth >= std::max(0, options_.max_depth); });
        for (auto& [ranks, one] : result) {
            std::set<int> roots;
            for (const auto& [other, sibling] : result) {
                if (sibling.parent == ranks) one.roots_below.push_back(*other.begin());
                if (!one.parent.empty() && sibling.parent == one.parent) roots.insert(*other.begin());
            }
            std::ranges::sort(one.roots_below);
            if (one.parent.empty()) continue;
            one.count = static_cast<int>(roots.size());
            one.index = static_cast<int>(std::distance(roots.begin(), roots.find(*ranks.begin())));
        }
        return result;
    }

private:
    void add(kind type, std::string name, int nesting, rank_set ranks, std::set<std::pair<int, int>> pus) {
        if (options_.wants(type))
            objects_.push_back({type, std::move(name), nesting, std::move(ranks), std::move(pus)});
    }

    std::set<std::pair<int, int>> pus_of(int node, hwloc_const_cpuset_t cpus) const {
        std::set<std::pair<int, int>> pus;
        for (int cpu = hwloc_bitmap_first(cpus); cpu >= 0; cpu = hwloc_bitmap_next(cpus, cpu))
            pus.emplace(node, cpu);
        return pus;
    }
    std::set<std::pair<int, int>> pus_of(int node) const {
        const auto& hardware = *on_.nodes()[static_cast<std::size_t>(node)].hardware;
        return pus_of(node, hwloc_get_root_obj(hardware.native_handle())->cpuset);
    }

    template <class Predicate>
    rank_set ranks_where(Predicate inside) const {
        rank_set found;
        for (int rank = 0; rank < static_cast<int>(seats_.size()); ++rank)
            if (inside(seats_[static_cast<std::size_t>(rank)])) found.insert(rank);
        return found;
    }

    /// A switch is the path of names down to it.
    void add_switches() {
        std::set<std::vector<std::string>> switches;
        for (const auto& node : on_.nodes())
            for (std::size_t length = 1; length <= node.switches.size(); ++length)
                switches.insert(
                    {node.switches.begin(), node.switches.begin() + static_cast<std::ptrdiff_t>(length)});
        for (const auto& path : switches) {
            const auto has = [&](int node) {
                const auto& above = on_.nodes()[static_cast<std::size_t>(node)].switches;
                return above.size() >= path.size() && std::equal(path.begin(), path.end(), above.begin());
            };
            std::set<std::pair<int, int>> pus;
            for (int node = 0; node < static_cast<int>(on_.nodes().size()); ++node)
                if (has(node)) pus.merge(pus_of(node));
            add(kind::network_switch, path.back(), static_cast<int>(path.size()),
                ranks_where([&](const seat& s) { return has(s.node); }), std::move(pus));
        }
    }

    void add_node(int number) {
        const auto& node = on_.nodes()[static_cast<std::size_t>(number)];
        const hwloc_topology_t raw = node.hardware->native_handle();
        const cpu_set all{hwloc_get_root_obj(raw)->cpuset};
        const auto ranks_in = [&](hwloc_const_cpuset_t cpus) {
            return ranks_where([&](const seat& s) {
                return s.node == number && (s.cpus.empty() ? all : s.cpus).is_subset_of(cpu_set{cpus});
            });
        };
        add(kind::machine, node.name, 1000, ranks_in(all.native_handle()), pus_of(number));
        for (int depth = 1; depth < hwloc_topology_get_depth(raw); ++depth)
            for (hwloc_obj_t each = nullptr;
                 (each = hwloc_get_next_obj_by_depth(raw, depth, each)) != nullptr;) {
                const std::string type = hwloc_obj_type_string(each->type);
                const std::string level = type == "Group" ? std::to_string(each->attr->group.depth) : "";
                if (const auto which = topo::kind_from_string(type))
                    add(*which, node.name + '/' + type + level + '#' + std::to_string(each->logical_index),
                        1000 + 2 * depth, ranks_in(each->cpuset), pus_of(number, each->cpuset));
            }
        std::set<hwloc_obj_t> taken; // of several on one object, the first counts
        for (hwloc_obj_t numa = nullptr;
             (numa = hwloc_get_next_obj_by_type(raw, HWLOC_OBJ_NUMANODE, numa)) != nullptr;) {
            const hwloc_obj_t host = normal_ancestor(numa);
            if (divides(raw, numa) && taken.insert(host).second)
                add(kind::numa_node, node.name + "/NUMANode#" + std::to_string(numa->logical_index),
                    1000 + 2 * host->depth + 1, ranks_in(numa->cpuset), pus_of(number, numa->cpuset));
        }
    }

    static hwloc_obj_t normal_ancestor(hwloc_obj_t object) {
        do
            object = object->parent;
        while (hwloc_obj_type_is_normal(object->type) == 0);
        return object;
    }

    /// Whether a NUMA node has some but not all CPUs, and no smaller one inside.
    static bool divides(hwloc_topology_t raw, hwloc_obj_t numa) {
        const cpu_set own{numa->cpuset};
        if (own.empty() || own == cpu_set{hwloc_get_root_obj(raw)->cpuset}) return false;
        for (int i = 0; i < hwloc_get_nbobjs_by_type(raw, HWLOC_OBJ_NUMANODE); ++i) {
            const cpu_set other{
                hwloc_get_obj_by_type(raw, HWLOC_OBJ_NUMANODE, static_cast<unsigned>(i))->cpuset};
            if (!other.empty() && other != own && other.is_subset_of(own)) return false;
        }
        return true;
    }

    /// The outermost object around exactly these ranks, or for the whole their node or lowest switch; then
    /// the lowest kind, other than PU, of the objects with the same processing units. Of switches all names.
    void name(expected_communicator& one) const {
        std::vector<known_object> around;
        for (const auto& object : objects_)
            if (object.ranks == one.ranks) around.push_back(object);
        if (around.empty()) return;
        std::ranges::sort(around, {}, &known_object::nesting);
        auto separating = around.begin();
        if (one.ranks.size() == seats_.size())
            for (auto each = around.begin(); each != around.end(); ++each)
                if (each->type == kind::machine || each->type == kind::network_switch) separating = each;
        const auto pus = separating->pus;
        const known_object* lowest = nullptr;
        for (const auto& each : around)
            if (each.pus == pus)
                if (lowest == nullptr || lowest->type == kind::pu ||
                    (each.type != kind::pu && each.type >= lowest->type))
                    lowest = &each;
        one.type = lowest->type;
        one.name = lowest->name;
        if (lowest->type == kind::network_switch) { // all switches have their names there
            one.name.clear();
            for (const auto& each : around)
                if (each.type == kind::network_switch) one.name += (one.name.empty() ? "" : "/") + each.name;
        }
        std::vector<std::pair<std::ptrdiff_t, kind>>
            within; // outermost first; of the same processing units by kind
        for (const auto& other : around) {
            const auto alike = std::ranges::find(around, other.pus, &known_object::pus);
            if (other.pus != pus)
                within.emplace_back(alike - around.begin(), other.type);
            else if (&other != lowest)
                one.also.push_back(other.type);
        }
        std::ranges::sort(one.also);
        std::ranges::sort(within);
        for (const auto& each : within)
            one.ranks_within.push_back(each.second);
    }

    const machine& on_;
    const std::vector<seat>& seats_;
    const topo::hierarchy_options& options_;
    std::vector<known_object> objects_;
};

// ---- random machines, bindings, options -----------------------------------------------------------------

class generator {
public:
    explicit generator(unsigned seed) : random_(seed) {
        for (const char* name : {"hbm_beside_dram.xml", "numa_on_l3.xml", "sub_numa_groups.xml",
                                 "far_memory.xml", "memory_without_cpus.xml", "memory_side_cache.xml",
                                 "l3_around_numa.xml", "smt.xml", "uneven.xml"})
            pool_.push_back(share(topo::topology::from_xml(topo_test::data_file(name))));
    }

    machine any_machine() {
        std::vector<machine::node> nodes;
        add_nodes(nodes, {}, 0);
        // Ranks need not find the nodes of a switch side by side.
        if (below(2) == 0) std::ranges::shuffle(nodes, random_);
        return machine{std::move(nodes)};
    }

    std::vector<seat> any_seats(const machine& on) {
        std::vector<seat> seats;
        const int style = below(8); // 0 to 5: one kind of binding for all; otherwise each rank its own
        for (int ranks = 1 + below(below(4) == 0 ? 40 : 12); ranks > 0; --ranks) {
            const int node = below(static_cast<int>(on.nodes().size()));
            seats.push_back({node, any_binding(*on.nodes()[static_cast<std::size_t>(node)].hardware,
                                               style < 6 ? style : below(6))});
        }
        return seats;
    }

    topo::hierarchy_options any_options() {
        topo::hierarchy_options options;
        options.network = topo::network::none();
        if (below(4) == 0) options.only = any_kinds(8);
        if (below(4) == 0) options.skip = any_kinds(3);
        if (below(4) == 0) options.max_depth = below(5);
        return options;
    }

private:
    using shared_topology = std::shared_ptr<const topo::topology>;
    static shared_topology share(topo::topology from) {
        return std::make_shared<const topo::topology>(std::move(from));
    }

    int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

    /// Names come back under other switches; only paths are unique.
    void add_nodes(std::vector<machine::node>& nodes, const std::vector<std::string>& above, int depth) {
        const int here = above.empty() && depth > 0 ? 1 : below(3);
        for (int i = 0; i < here || nodes.empty(); ++i)
            nodes.push_back({"n" + std::to_string(nodes.size()), above, any_hardware()});
        if (depth == 3) return;
        for (int i = 0, switches = below(3); i < switches; ++i) {
            auto path = above;
            path.push_back("s" + std::to_string(i));
            add_nodes(nodes, path, depth + 1);
        }
    }

    shared_topology any_hardware() {
        if (pool_.size() >= 40 && below(4) != 0)
            return pool_[static_cast<std::size_t>(below(static_cast<int>(pool_.size())))];
        auto made = any_synthetic();
        if (below(2) == 0) cut(made);
        const auto shared = share(std::move(made));
        if (pool_.size() < 200)
            pool_.push_back(shared);
        else
            pool_[static_cast<std::size_t>(below(200))] = shared;
        return shared;
    }

    topo::topology any_synthetic() {
        static const std::vector<std::string> nesting{"group",   "package", "die",     "l5cache", "l4cache",
                                                      "l3cache", "l2cache", "l1cache", "core"};
        std::string text;
        const int numa = below(3) == 0 ? below(8) : -1; // a level of NUMA nodes, or attached ones
        bool attached = false;
        for (int i = 0; i < static_cast<int>(nesting.size()); ++i) {
            if (i == numa) text += "numa:" + std::to_string(1 + below(2)) + ' ';
            if (below(2) == 0) continue;
            text +=
                nesting[static_cast<std::size_t>(i)] + ':' + std::to_string(1 + below(i < 7 ? 2 : 3)) + ' ';
            for (; numa < 0 && below(attached ? 8 : 4) == 0 && nesting[static_cast<std::size_t>(i)] != "core";
                 attached = true)
                text += "[numa] ";
        }
        return topo::topology::from_synthetic(text + "pu:" + std::to_string(1 + below(2)));
    }

    /// Takes some CPUs away, so that the machine is uneven inside and its numbers have gaps.
    void cut(topo::topology& hardware) {
        const cpu_set all = hardware.cpus();
        cpu_set kept;
        const int size = hwloc_bitmap_weight(all.native_handle());
        for (int i = 0; i < size; ++i)
            if (below(3) != 0) kept.insert(i, i);
        if (kept.empty()) return;
        REQUIRE(hwloc_topology_restrict(hardware.native_handle(), kept.native_handle(), 0) == 0);
    }

    cpu_set any_binding(const topo::topology& hardware, int style) {
        const hwloc_topology_t raw = hardware.native_handle();
        if (style == 0) return {};                                                 // unbound
        if (style == 1) return any_object(raw, hwloc_topology_get_depth(raw) - 1); // a PU
        if (style == 2) return hardware.core(below(hardware.core_count()));
        if (style == 3) return any_object(raw, below(hwloc_topology_get_depth(raw)));
        if (style == 4) { // several cores
            cpu_set several;
            for (int more = 2 + below(3); more > 0; --more)
                add(several, hardware.core(below(hardware.core_count())));
            return several;
        }
        cpu_set spanning = any_object(raw, below(hwloc_topology_get_depth(raw)));
        add(spanning, any_object(raw, hwloc_topology_get_depth(raw) - 1));
        return spanning;
    }

    cpu_set any_object(hwloc_topology_t raw, int depth) {
        const int count = static_cast<int>(hwloc_get_nbobjs_by_depth(raw, depth));
        return cpu_set{hwloc_get_obj_by_depth(raw, depth, static_cast<unsigned>(below(count)))->cpuset};
    }

    static void add(cpu_set& to, const cpu_set& more) {
        REQUIRE(hwloc_bitmap_or(to.native_handle(), to.native_handle(), more.native_handle()) == 0);
    }

    std::vector<kind> any_kinds(int most) {
        std::vector<kind> kinds;
        for (int more = 1 + below(most); more > 0; --more)
            kinds.push_back(static_cast<kind>(below(14)));
        return kinds;
    }

    std::mt19937 random_;
    std::vector<shared_topology> pool_;
};

// ---- comparison -----------------------------------------------------------------------------------------

std::string described(const machine& on, const std::vector<seat>& seats,
                      const topo::hierarchy_options& options, const outline& found) {
    std::ostringstream text;
    for (const auto& each : seats)
        text << on.place_of(each) << '\n';
    for (const kind which : options.only)
        text << "only " << to_string(which) << '\n';
    for (const kind which : options.skip)
        text << "skip " << to_string(which) << '\n';
    text << "max_depth " << options.max_depth << '\n';
    for (const auto& line : topo_test::lines_of(found))
        text << line << '\n';
    return text.str();
}

/// The first difference between what was found and what the definitions give; empty if there is none.
std::string difference(const outline& found, const std::map<rank_set, expected_communicator>& expected) {
    if (found.communicators.size() != expected.size())
        return std::to_string(expected.size()) + " communicators expected";
    std::vector<const outline::communicator*> parents(found.communicators.size(), nullptr);
    for (const auto& one : found.communicators)
        for (const int child : one.children)
            parents.at(static_cast<std::size_t>(child)) = &one;
    for (std::size_t i = 0; i < found.communicators.size(); ++i) {
        const auto& one = found.communicators[i];
        const auto at = [&](const std::string& what) { return what + " of " + topo_test::line_of(one); };
        const rank_set ranks{one.ranks.begin(), one.ranks.end()};
        const auto match = expected.find(ranks);
        if (match == expected.end()) return at("existence");
        const auto& right = match->second;
        const rank_set parent =
            parents[i] == nullptr ? rank_set{} : rank_set{parents[i]->ranks.begin(), parents[i]->ranks.end()};
        if (one.depth != right.depth) return at("depth");
        if (one.type != right.type) return at("type");
        if (one.also != right.also) return at("also");
        if (one.ranks_within != right.ranks_within) return at("ranks_within");
        if (one.name != right.name) return at("name");
        if (one.index != right.index) return at("index");
        if (one.count != right.count) return at("count");
        if (parent != right.parent) return at("parent");
        if (one.ranks != std::vector<int>(ranks.begin(), ranks.end())) return at("order of ranks");
        if (found.roots_below(one) != right.roots_below) return at("roots below");
    }
    return {};
}

/// The promises of paper 1, 3.2.2, that must hold whatever the machine; the first broken one, or empty.
std::string broken_promise(const outline& found) {
    for (std::size_t position = 0; position < found.communicators.size(); ++position) {
        const auto& parent = found.communicators[position];
        std::set<int> seen;
        int index = 0, last_root = -1;
        for (const int child : parent.children) {
            const auto& one = found.communicators.at(static_cast<std::size_t>(child));
            if (static_cast<std::size_t>(child) <= position) return "a child follows its parent";
            if (one.depth != parent.depth + 1) return "a child is one deeper";
            if (one.ranks.empty() || one.ranks.size() >= parent.ranks.size())
                return "a child is a strict subset";
            if (!std::ranges::includes(parent.ranks, one.ranks)) return "a child is contained";
            if (one.index != index++ || one.root() <= last_root) return "siblings are in the order of roots";
            if (one.count != static_cast<int>(parent.children.size())) return "siblings know their count";
            last_root = one.root();
            for (const int rank : one.ranks)
                if (!seen.insert(rank).second) return "siblings are disjoint";
        }
    }
    return {};
}

/// What the cases must have contained for the test to mean something.
struct tally {
    int communicators = 0, deepest = 0, merged = 0, spanning = 0, within = 0;
};

tally run_cases(unsigned seed, int cases) {
    generator make{seed};
    tally seen;
    for (int i = 0; i < cases; ++i) {
        const machine on = make.any_machine();
        const auto seats = make.any_seats(on);
        const auto options = make.any_options();
        const auto found =
            outline::of(places_of(on, topo::placement::list(seats), static_cast<int>(seats.size())), options);
        std::string problem = difference(found, oracle{on, seats, options}.communicators());
        if (problem.empty()) problem = broken_promise(found);
        if (!problem.empty())
            FAIL("seed " << seed << ", case " << i << ": " << problem << '\n'
                         << described(on, seats, options, found));
        seen.communicators += static_cast<int>(found.communicators.size());
        seen.deepest = std::max(seen.deepest, found.max_depth());
        for (const auto& one : found.communicators) {
            seen.merged += one.also.empty() ? 0 : 1;
            seen.within += one.ranks_within.empty() ? 0 : 1;
            std::size_t inside = 0;
            for (const int child : one.children)
                inside += found.communicators[static_cast<std::size_t>(child)].ranks.size();
            seen.spanning += !one.children.empty() && inside < one.ranks.size() ? 1 : 0;
        }
    }
    return seen;
}

/// Nodes of one kind, under switches that all have as many.
machine alike(std::mt19937& random) {
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    std::string text;
    const auto maybe = [&](const char* kind, int most) {
        if (below(2) == 0) text += std::string{kind} + ':' + std::to_string(1 + below(most)) + ' ';
    };
    maybe("switch", 3);
    maybe("switch", 2);
    text += "node:" + std::to_string(1 + below(3)) + ' ';
    maybe("package", 2);
    maybe("numa", 2);
    maybe("l3", 2);
    maybe("l2", 2);
    maybe("core", 3);
    maybe("pu", 2);
    return machine::parse(text);
}

std::vector<seat> cores_of(std::mt19937& random, const machine& on, int ranks) {
    std::vector<seat> seats;
    for (int rank = 0; rank < ranks; ++rank) {
        const auto node = static_cast<int>(random() % on.nodes().size());
        const auto& hardware = *on.nodes()[static_cast<std::size_t>(node)].hardware;
        seats.push_back(
            {node, hardware.core(static_cast<int>(random() % static_cast<unsigned>(hardware.core_count())))});
    }
    return seats;
}

/// What the communicators below the whole are called, each with its ranks.
using callings = std::set<std::pair<std::string, rank_set>>;

callings callings_of(const machine& on, const std::vector<seat>& seats) {
    callings result;
    for (const auto& one :
         outline::of(on, topo::placement::list(seats), static_cast<int>(seats.size())).communicators) {
        // Of switches around the same ranks the outermost: a further rank can tell it from those below it.
        std::string called = one.name.substr(0, one.name.find('/')) + ' ' + std::string{to_string(one.type)};
        for (const kind other : one.also)
            called.append(" also ").append(to_string(other));
        if (one.depth >= 0) result.emplace(called, rank_set{one.ranks.begin(), one.ranks.end()});
    }
    return result;
}

} // namespace

TEST_CASE("outline_property: what a level is called follows from the hardware alone") {
    std::mt19937 random{5};
    int siblings = 0, kept = 0;
    for (int i = 0; i < topo_test::repetitions(1000); ++i) {
        const machine on = alike(random);
        auto seats = cores_of(random, on, 1 + static_cast<int>(random() % 12));
        const auto found = outline::of(on, topo::placement::list(seats), static_cast<int>(seats.size()));
        for (const auto& parent : found.communicators)
            for (const int child : parent.children) {
                const auto at = [&](int position) -> const auto& {
                    return found.communicators[static_cast<std::size_t>(position)];
                };
                CHECK(at(child).type == at(parent.children.front()).type);
                CHECK(at(child).also == at(parent.children.front()).also);
                siblings += parent.children.size() > 1 ? 1 : 0;
            }
        const auto before = callings_of(on, seats);

        std::vector<int> renamed(seats.size()); // the rank that each rank becomes
        std::iota(renamed.begin(), renamed.end(), 0);
        std::ranges::shuffle(renamed, random);
        std::vector<seat> moved(seats.size());
        for (std::size_t rank = 0; rank < seats.size(); ++rank)
            moved[static_cast<std::size_t>(renamed[rank])] = seats[rank];
        callings expected;
        for (const auto& [called, ranks] : before) {
            rank_set now;
            for (const int rank : ranks)
                now.insert(renamed[static_cast<std::size_t>(rank)]);
            expected.emplace(called, now);
        }
        CHECK((callings_of(on, moved) == expected));

        // A rank more: every level keeps what it is called, with or without the new rank.
        const int added = static_cast<int>(seats.size());
        seats.push_back(cores_of(random, on, 1).front());
        const auto after = callings_of(on, seats);
        for (const auto& [called, ranks] : before) {
            auto with = ranks;
            with.insert(added);
            CHECK((after.contains({called, ranks}) || after.contains({called, with})));
            ++kept;
        }
    }
    CHECK(siblings > topo_test::repetitions(1000));
    CHECK(kept > topo_test::repetitions(3000));
}

TEST_CASE("outline_property: agrees with a brute-force search from the definitions") {
    using topo_test::repetitions;
    for (const unsigned seed : {1u, 2u, 3u, 4u}) {
        const auto seen = run_cases(seed, repetitions(2000));
        CHECK(seen.communicators > repetitions(10'000));
        CHECK(seen.deepest >= 5);
        CHECK(seen.merged > repetitions(1000));
        CHECK(seen.within > repetitions(1000));
        CHECK(seen.spanning > repetitions(300));
    }
}

} // namespace outline_property_tests
