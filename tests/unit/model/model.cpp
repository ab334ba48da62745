// SPDX-License-Identifier: BSL-1.0
// Cost models against numbers worked out by hand, and against a simulation that moves each message for
// itself.
#include <topomp/algorithm/shape.hpp>
#include <topomp/algorithm/split_binary.hpp>
#include <topomp/algorithm/tree/edges.hpp>
#include <topomp/core/error.hpp>
#include <topomp/model/broadcast_time.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/flat_time.hpp>
#include <topomp/model/hockney.hpp>
#include <topomp/model/log_gp.hpp>
#include <topomp/model/max_rate.hpp>
#include <topomp/model/plogp.hpp>
#include <topomp/model/rounds_time.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <map>
#include <queue>
#include <random>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace model_tests {

using namespace topo::model;
using topo::any_shape;

namespace {

constexpr double us = 1e-6;

struct edge {
    int child;
    message_cost cost;
};
/// A message costs the same whatever its length, as long as it is alone.
struct fixed {
    message_cost alone;
    message_cost cost(double, int) const { return alone; }
};
std::vector<level_model<fixed>> fixed_levels(std::span<const level_cost> levels) {
    std::vector<level_model<fixed>> result;
    for (const auto& level : levels)
        result.push_back({level.members, {level.message}});
    return result;
}

using tree = std::vector<std::vector<edge>>; ///< the children of each rank, in the order to serve them

/// When the last rank has the last segment, found by carrying out each message.
double simulated_broadcast(const tree& of, int root, int segments) {
    struct arrival {
        double when;
        int rank, segment;
        bool operator>(const arrival& other) const { return when > other.when; }
    };
    struct port {
        double free = 0;
        int held = 0; ///< segments
        int segment = 0;
        std::size_t child = 0; ///< what it sends next
    };
    std::priority_queue<arrival, std::vector<arrival>, std::greater<>> events;
    std::vector<port> ports(of.size());
    for (int segment = 0; segment < segments; ++segment)
        events.push({0, root, segment});
    double last = 0;
    for (; !events.empty();) {
        const arrival now = events.top();
        events.pop();
        last = now.when;
        auto& here = ports[static_cast<std::size_t>(now.rank)];
        const auto& children = of[static_cast<std::size_t>(now.rank)];
        ++here.held;
        here.free = std::max(here.free, now.when);
        while (!children.empty() && here.segment < here.held) {
            const edge& next = children[here.child];
            events.push({here.free + next.cost.time, next.child, here.segment});
            here.free += next.cost.gap;
            if (++here.child == children.size()) {
                here.child = 0;
                ++here.segment;
            }
        }
    }
    return last;
}

/// When the root has combined all: a rank takes its children's segments one after the other, the one that a
/// broadcast would serve last first, and hands a segment on when it has them all.
double simulated_reduction(const tree& of, int root, int segments) {
    std::vector<std::vector<double>> ready(of.size()); // by rank and segment
    const std::function<void(int)> run = [&](int rank) {
        const auto at = static_cast<std::size_t>(rank);
        for (const edge& each : of[at])
            run(each.child);
        double free = 0;
        for (int segment = 0; segment < segments; ++segment) {
            for (auto each = of[at].rbegin(); each != of[at].rend(); ++each) {
                const double sent =
                    ready[static_cast<std::size_t>(each->child)][static_cast<std::size_t>(segment)];
                free = std::max(free + each->cost.gap, sent + each->cost.time);
            }
            ready[at].push_back(free);
        }
    };
    run(root);
    return ready[static_cast<std::size_t>(root)].back();
}

tree tree_of(const any_shape& shape, int ranks, const std::function<message_cost(int, int)>& cost) {
    tree result(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<int> found;
        shape.children(rank, ranks, found);
        for (const int child : found)
            result[static_cast<std::size_t>(rank)].push_back({child, cost(rank, child)});
    }
    return result;
}

/// The tree that the library's engines use, from `topo::detail::compose`.
tree composed(std::span<const any_shape> shapes, std::span<const level_cost> levels) {
    const auto ranks = static_cast<int>(ranks_of(levels));
    tree result(static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
        std::vector<std::vector<int>> members;
        std::vector<topo::detail::step_view> steps;
        std::vector<any_shape> used;
        std::vector<message_cost> costs;
        members.reserve(levels.size());
        int size = ranks;
        for (std::size_t depth = 0; depth < levels.size(); ++depth) {
            const int first = rank / size * size;
            size /= levels[depth].members;
            if (rank % size != 0) continue;
            std::vector<int> found;
            for (int member = 0; member < levels[depth].members; ++member)
                found.push_back(first + member * size);
            members.push_back(std::move(found));
            steps.push_back({members.back(), (rank - first) / size, 0, first});
            used.push_back(shapes[depth]);
            costs.push_back(levels[depth].message);
        }
        const auto edges = topo::detail::compose(steps, used, topo::detail::operand_order::any);
        for (const int child : edges.children) {
            std::size_t step = 0;
            while (std::ranges::find(members[step], child) == members[step].end())
                ++step;
            result[static_cast<std::size_t>(rank)].push_back({child, costs[step]});
        }
    }
    return result;
}

const std::vector<any_shape>& shapes() {
    using namespace topo;
    static const std::vector<any_shape> all{any_shape::of<linear>(),      any_shape::of<chain>(),
                                            any_shape::of<binary>(),      any_shape::of<k_ary<3>>(),
                                            any_shape::of<binomial>(),    any_shape::of<k_nomial<3>>(),
                                            any_shape::of<k_nomial<4>>(), any_shape::of<in_order_binary>()};
    return all;
}
template <class Shape>
double one_level(int ranks, message_cost segment, double segments = 1) {
    const any_shape shape = any_shape::of<Shape>();
    const level_cost level{ranks, segment};
    return broadcast_time({&shape, 1}, {&level, 1}, segments);
}

} // namespace

TEST_CASE("one message: by hand") {
    const hockney h{2 * us, 1e-9};
    CHECK(h.cost(0).time == doctest::Approx(2 * us));
    CHECK(h.cost(1000).time == doctest::Approx(3 * us));
    CHECK(h.cost(1000).gap == h.cost(1000).time);

    const log_p words{5 * us, 1 * us, 2 * us, 8};
    CHECK(words.cost(0).time == doctest::Approx(7 * us)); // o + L + o
    CHECK(words.cost(8).time == doctest::Approx(7 * us));
    CHECK(words.cost(24).time == doctest::Approx(11 * us)); // two gaps more
    CHECK(words.cost(24).gap == doctest::Approx(6 * us));

    const log_gp g{5 * us, 1 * us, 2 * us, 1e-9};
    CHECK(g.cost(1).time == doctest::Approx(7 * us));
    CHECK(g.cost(1001).time == doctest::Approx(8 * us));
    CHECK(g.cost(1001).gap == doctest::Approx(3 * us));

    const max_rate node{1 * us, 1e9, 4e9};
    CHECK(node.cost(1000, 1).time == doctest::Approx(2 * us));
    CHECK(node.cost(1000, 4).time == doctest::Approx(2 * us)); // four ranks just fill it
    CHECK(node.cost(1000, 8).time == doctest::Approx(3 * us)); // eight share it
    const max_rate postal{1 * us, 1e9};
    CHECK(postal.cost(1000, 1000).time == doctest::Approx(2 * us));
}

TEST_CASE("PLogP's tables") {
    const plogp p{
        3 * us,
        {{0, 0.5 * us, 0.4 * us, 1 * us}, {1000, 1 * us, 0.8 * us, 2 * us}, {3000, 2 * us, 2 * us, 6 * us}}};
    CHECK(p.cost(0).time == doctest::Approx(4 * us)); // L + g(0)
    CHECK(p.cost(500).gap == doctest::Approx(1.5 * us));
    CHECK(p.cost(500).time == doctest::Approx(4.5 * us));
    CHECK(p.send_overhead(500) == doctest::Approx(0.75 * us));
    CHECK(p.receive_overhead(2000) == doctest::Approx(1.4 * us));
    CHECK(p.gap(5000) == doctest::Approx(10 * us)); // along the last line
    const plogp noisy{0, {{0, 0, 0, 2 * us}, {8, 0, 0, 1 * us}}};
    CHECK(noisy.gap(1000) == doctest::Approx(1 * us)); // longer is never cheaper than what was measured
    CHECK(plogp{1 * us, {{8, 1 * us, 5 * us, 2 * us}}}.gap(4) ==
          doctest::Approx(5 * us)); // g is no less than o_r
    CHECK_THROWS_AS(plogp(0, {}), topo::argument_error);
    CHECK_THROWS_AS(plogp(0, {{8, 0, 0, 0}, {8, 0, 0, 0}}), topo::argument_error);
}

TEST_CASE("shapes under Hockney's model: the formulas of docs/collectives.md") {
    const double step = 3 * us; // a + m b / s
    const message_cost segment{step, step};
    for (const int n : {1, 2, 3, 7, 8, 24, 240}) {
        CHECK(one_level<topo::linear>(n, segment) == doctest::Approx((n - 1) * step));
        for (const int s : {1, 2, 5})
            CHECK(one_level<topo::chain>(n, segment, s) == doctest::Approx(n == 1 ? 0 : (n + s - 2) * step));
        CHECK(one_level<topo::binomial>(n, segment) == doctest::Approx(std::ceil(std::log2(n)) * step));
    }
    CHECK(one_level<topo::binary>(7, segment, 5) == doctest::Approx(2 * (2 + 5 - 1) * step));
    CHECK(one_level<topo::k_ary<3>>(13, segment, 4) == doctest::Approx(3 * (2 + 4 - 1) * step));
    CHECK(one_level<topo::k_nomial<4>>(64, segment) == doctest::Approx(3 * 3 * step));
}

TEST_CASE("paper 1, section 6: eight ranks on three levels") {
    const any_shape flat = any_shape::of<topo::linear>();
    const std::array<level_cost, 3> levels{{{2, {1, 1}}, {2, {1, 1}}, {2, {1, 1}}}};
    CHECK(flat_tree<fixed>{fixed_levels(levels)}.time(flat, 1) == doctest::Approx(7));
    CHECK(hierarchical_time({&flat, 1}, levels) == doctest::Approx(3));
}

TEST_CASE("trees take as long as each message carried out for itself") {
    const message_cost cost{2 * us, 5 * us};
    const message_cost postal{3 * us, 3 * us};
    for (const any_shape& shape : shapes())
        for (const int n : {1, 2, 3, 4, 7, 8, 13, 64, 100})
            for (const int s : {1, 2, 3, 17})
                for (const message_cost& each : {cost, postal}) {
                    const level_cost level{n, each};
                    const double told = broadcast_time({&shape, 1}, {&level, 1}, s);
                    const tree made = tree_of(shape, n, [&](int, int) { return each; });
                    CHECK(told == doctest::Approx(simulated_broadcast(made, 0, s)));
                    CHECK(told == doctest::Approx(simulated_reduction(made, 0, s)));
                }
}

TEST_CASE("composed and flat trees over random levels") {
    std::mt19937 random{7};
    const auto pick = [&](int below) { return static_cast<int>(random() % static_cast<unsigned>(below)); };
    for (int round = 0; round < 200; ++round) {
        std::vector<level_cost> levels;
        std::vector<any_shape> used;
        for (int depth = 1 + pick(3); depth > 0; --depth) {
            const double gap = (1 + pick(50)) * us;
            levels.push_back({1 + pick(6), {gap, gap + pick(20) * us}});
            used.push_back(shapes()[static_cast<std::size_t>(pick(static_cast<int>(shapes().size())))]);
        }
        const int segments = 1 + pick(9),
                  ranks = static_cast<int>(ranks_of(std::span<const level_cost>{levels}));
        CAPTURE(ranks);
        CAPTURE(segments);
        const tree made = composed(used, levels);
        const double told = broadcast_time(used, levels, segments);
        CHECK(told == doctest::Approx(simulated_broadcast(made, 0, segments)));
        CHECK(told == doctest::Approx(simulated_reduction(made, 0, segments)));
        CHECK(hierarchical_time(used, levels, 1) >=
              doctest::Approx(broadcast_time(used, levels, 1)).epsilon(1e-9));

        std::vector<int> seats(static_cast<std::size_t>(ranks));
        for (int i = 0; i < ranks; ++i)
            seats[static_cast<std::size_t>(i)] = i;
        std::ranges::shuffle(seats, random);
        // The outermost level that parts two seats: the first digit in which they differ.
        const auto cost = [&](int a, int b) {
            int size = ranks, i = seats[static_cast<std::size_t>(a)], j = seats[static_cast<std::size_t>(b)];
            for (const level_cost& level : levels) {
                size /= level.members;
                if (i / size != j / size) return level.message;
                i %= size;
                j %= size;
            }
            FAIL("two ranks in one seat");
            return message_cost{};
        };
        CHECK(flat_tree<fixed>{fixed_levels(levels), seats}.time(used[0], 1, segments) ==
              doctest::Approx(simulated_broadcast(tree_of(used[0], ranks, cost), 0, segments)));
    }
}

TEST_CASE("flat trees whose messages leave a group at a time: by hand") {
    // Two nodes of four ranks dealt in turn: a message of 1000 bytes takes 1 us, two of a node at a time 2
    // us.
    const std::array<level_model<max_rate>, 2> levels{{{2, {0, 1e9, 1e9}}, {4, {0, 1e9}}}};
    const std::array seats{0, 4, 1, 5, 2, 6, 3, 7};
    const flat_tree<max_rate> tree{levels, seats};
    CHECK(tree.time(any_shape::of<topo::linear>(), 1000) == doctest::Approx(7 * us)); // one sender
    // 0 - 4, 2, 1 and 4 - 6, 5 and 2 - 3 and 6 - 7: evens are on node 0. In step 1 both 4 and 2 send out of
    // it.
    CHECK(tree.time(any_shape::of<topo::binomial>(), 1000) == doctest::Approx((1 + 1 + 2) * us));
    // In a chain one sends at a time; in a pipeline all four of a node do.
    CHECK(tree.time(any_shape::of<topo::chain>(), 1000) == doctest::Approx(7 * us));
    CHECK(tree.time(any_shape::of<topo::chain>(), 1000, 100) ==
          doctest::Approx((7 + 99) * 4 * us).epsilon(0.04));
    CHECK(flat_tree<max_rate>{levels}.time(any_shape::of<topo::chain>(), 1000, 100) ==
          doctest::Approx((7 + 99) * us)); // neighbours: one link between the nodes
    CHECK(flat_tree<max_rate>{levels, {}, 1e-9}.time(any_shape::of<topo::chain>(), 1000) ==
          doctest::Approx(14 * us)); // as long to combine
}

TEST_CASE("halves down two trees") {
    const any_shape first = any_shape::of<topo::detail::split_binary_half<0>>();
    const any_shape second = any_shape::of<topo::detail::split_binary_half<1>>();
    const message_cost cost{2 * us, 5 * us};
    for (const int n : {1, 2, 3, 7, 8, 15, 40}) {
        for (const int s : {1, 2, 9}) {
            // Only the root sends in both trees: a rank that stands for the other half takes part of its
            // time.
            double last = 0;
            for (const int half : {0, 1}) {
                tree made = tree_of(half == 0 ? first : second, n, [&](int, int) { return cost; });
                std::vector<int> others;
                (half == 0 ? second : first).children(0, n, others);
                for (const int other : others) {
                    (void)other;
                    made.push_back({});
                    const edge away{static_cast<int>(made.size()) - 1, {cost.gap, 0}};
                    made[0].insert(half == 0 ? made[0].end() : made[0].begin(), away);
                }
                last = std::max(last, simulated_broadcast(made, 0, s));
            }
            const level_cost level{n, cost};
            CHECK(split_broadcast_time({&first, 1}, {&second, 1}, {&level, 1}, s) == doctest::Approx(last));
            CHECK(flat_tree<fixed>{fixed_levels({&level, 1})}.split_time(first, second, 1, s) ==
                  doctest::Approx(last));
            CHECK(split_hierarchical_time(first, second, {&level, 1}, s) == doctest::Approx(last));
        }
    }
}

namespace {

using links = std::vector<level_model<max_rate>>;

/// Steps in which each rank sends to and receives from another one, carried out rank by rank; a rank begins a
/// step when it has ended the one before. `bytes(step)`, `to(step, rank)`.
double simulated_steps(const links& levels, int steps, const std::function<double(int)>& bytes,
                       const std::function<int(int, int)>& to) {
    const auto ranks = static_cast<int>(ranks_of(std::span<const level_model<max_rate>>{levels}));
    std::vector<double> free(static_cast<std::size_t>(ranks));
    for (int step = 0; step < steps; ++step) {
        // How many leave each group at each level in this step.
        std::map<std::pair<std::size_t, int>, int> flows;
        const auto crossing = [&](int a, int b) {
            int size = ranks;
            for (std::size_t depth = 0;; ++depth) {
                size /= levels[depth].members;
                if (a / size != b / size) return std::pair{depth, a / size};
            }
        };
        for (int rank = 0; rank < ranks; ++rank)
            if (to(step, rank) != rank) ++flows[crossing(rank, to(step, rank))];
        std::vector<double> next = free;
        for (int rank = 0; rank < ranks; ++rank) {
            const int other = to(step, rank);
            if (other == rank) continue;
            const auto at = crossing(rank, other);
            const auto from = static_cast<std::size_t>(rank), target = static_cast<std::size_t>(other);
            const double end = std::max(free[from], free[target]) +
                               levels[at.first].messages.cost(bytes(step), flows[at]).time;
            next[from] = std::max(next[from], end);
            next[target] = std::max(next[target], end);
        }
        free = next;
    }
    return std::ranges::max(free);
}

} // namespace

TEST_CASE("exchanges on one level: by hand") {
    // a = 1 us, b = 1 ns a byte: 1000 bytes take 2 us.
    const links level{{8, {1 * us, 1e9}}};
    const exchanges<max_rate> eight{level};
    CHECK(eight.ring_all_gather(1000) == doctest::Approx(7 * 2 * us));
    CHECK(eight.neighbour_exchange_all_gather(1000) == doctest::Approx(2 * us + 3 * 3 * us));
    CHECK(eight.bruck_all_gather(1000) == doctest::Approx(3 * us + 7 * us));
    CHECK(eight.recursive_doubling_all_gather(1000) == doctest::Approx(3 * us + 7 * us));
    CHECK(eight.pairwise_all_to_all(1000) == doctest::Approx(7 * 2 * us));
    CHECK(eight.bruck_all_to_all(1000) == doctest::Approx(3 * (1 * us + 4 * us)));
    CHECK(eight.overlapped_all_to_all(1000) == doctest::Approx(7 * 2 * us)); // no message starts in another
    CHECK(rounds<max_rate>{level, 2}.all_to_all(1000) == doctest::Approx(3 * (1 * us + 4 * us)));
    // L = 5 us, o = 1 us: a gap of 2 us between starts, or of o, and 2 us of each rank's processor a message.
    using loaded = std::vector<topo::model::level_model<topo::model::log_gp>>;
    const loaded four{{4, {5 * us, 1 * us, 2 * us, 0}}}, quick{{4, {5 * us, 1 * us, 0.5 * us, 0}}},
        hundred{{100, {5 * us, 1 * us, 0.5 * us, 0}}};
    CHECK(exchanges<topo::model::log_gp>{four}.overlapped_all_to_all(8) == doctest::Approx(11 * us));
    CHECK(exchanges<topo::model::log_gp>{quick}.overlapped_all_to_all(8) == doctest::Approx(9 * us));
    CHECK(exchanges<topo::model::log_gp>{hundred}.overlapped_all_to_all(8) == doctest::Approx(198 * us));
    CHECK(eight.recursive_doubling_all_reduce(1000) == doctest::Approx(3 * 2 * us));
    CHECK(eight.rabenseifner_all_reduce(8000) == doctest::Approx(6 * us + 2 * 7 * us));
    CHECK(eight.ring_all_reduce(8000) == doctest::Approx(14 * 2 * us));
    CHECK(eight.ring_reduce_scatter(1000) == doctest::Approx(7 * 2 * us));
    CHECK(eight.recursive_halving_reduce_scatter(1000) == doctest::Approx(3 * us + 7 * us));
    CHECK(eight.dissemination_barrier() == doctest::Approx(3 * us));
    // Three distances for the first piece; then a round for each further one.
    CHECK(exchanges<topo::model::log_gp>{loaded{{8, {5 * us, 1 * us, 2 * us, 0}}}}.circulant(8, 5) ==
          doctest::Approx((3 + 4) * 7 * us));
    CHECK(exchanges<topo::model::log_gp>{quick, 1e-7}.circulant(10, 3) ==
          doctest::Approx((2 + 2) * (7 + 1) * us)); // and 1 us to combine 10 bytes
    CHECK(exchanges<topo::model::log_gp>{loaded{{1, {5 * us, 1 * us, 2 * us, 0}}}}.circulant(8, 5) == 0);
    // 3 of 6 blocks, 1 of 3 and 1 of 2, there and back.
    CHECK(exchanges<max_rate>{links{{6, {1 * us, 1e9}}}}.circulant_all_reduce(6000, 2) ==
          doctest::Approx(2 * (4 + 2 + 2) * us));
    // 2 of 6 blocks to each of two, 1 of 2, there and back; of the first two messages one starts every 2 us.
    CHECK(exchanges<topo::model::log_gp>{loaded{{6, {5 * us, 1 * us, 2 * us, 0}}}}.circulant_all_reduce(
              6, 3) == doctest::Approx(2 * (7 + 2 + 7) * us));
    const exchanges<max_rate> adding{level, 1e-9}; // 1 ns to add a byte
    CHECK(adding.recursive_doubling_all_reduce(1000) == doctest::Approx(3 * 3 * us));
    CHECK(adding.rabenseifner_all_reduce(8000) == doctest::Approx(6 * us + 3 * 7 * us));

    const links six{{6, {1 * us, 1e9}}}; // 4 of them double, 2 give and take
    CHECK(exchanges<max_rate>{six}.recursive_doubling_all_reduce(1000) == doctest::Approx(4 * 2 * us));
    CHECK(exchanges<max_rate>{six}.bruck_all_gather(1000) == doctest::Approx(3 * us + (1 + 2 + 2) * us));
    CHECK(exchanges<max_rate>{six}.bruck_all_to_all(1000) == doctest::Approx(3 * us + (3 + 2 + 2) * us));
    const links one{{1, {1 * us, 1e9}}};
    CHECK(exchanges<max_rate>{one}.ring_all_gather(1000) == 0);
    CHECK(exchanges<max_rate>{one}.rabenseifner_all_reduce(1000) == 0);
    CHECK(exchanges<max_rate>{one}.bruck_all_to_all(1000) == 0);
}

TEST_CASE("exchanges over levels: as carried out, the slowest message of each step counted for all") {
    const std::vector<links> machines{
        {{4, {2 * us, 1e9, 2e9}}, {4, {0.5 * us, 4e9}}},
        {{8, {5 * us, 1e9, 1e9}}, {2, {1 * us, 4e9, 4e9}}, {4, {0.5 * us, 8e9}}},
        {{2, {2 * us, 1e9, 8e9}}, {8, {0.5 * us, 4e9}}},
    };
    for (const links& levels : machines) {
        const exchanges<max_rate> told{levels};
        const auto p = static_cast<int>(ranks_of(std::span<const level_model<max_rate>>{levels}));
        const int log = static_cast<int>(std::log2(p));
        // Told is never less, and more only by what ranks with a short way gain before they wait.
        const auto agrees = [](double whole, double carried) {
            CHECK(whole >= doctest::Approx(carried));
            CHECK(whole <= doctest::Approx(1.05 * carried));
        };
        const double m = 3000;
        const auto next = [&](int, int rank) { return (rank + 1) % p; };
        agrees(told.ring_all_gather(m), simulated_steps(
                                            levels, p - 1, [&](int) { return m; }, next));
        // Each rank exchanges with the other of its pair, then with its other neighbour, and so on.
        agrees(told.neighbour_exchange_all_gather(m),
               simulated_steps(
                   levels, p / 2, [&](int step) { return step == 0 ? m : 2 * m; },
                   [&](int step, int rank) { return (rank + p + ((rank + step) % 2 == 0 ? 1 : -1)) % p; }));
        agrees(told.pairwise_all_to_all(m), simulated_steps(
                                                levels, p - 1, [&](int) { return m; },
                                                [&](int step, int rank) { return (rank + step + 1) % p; }));
        agrees(told.bruck_all_gather(m), simulated_steps(
                                             levels, log, [&](int step) { return m * (1 << step); },
                                             [&](int step, int rank) { return (rank + (1 << step)) % p; }));
        agrees(
            told.recursive_doubling_all_reduce(m),
            simulated_steps(
                levels, log, [&](int) { return m; }, [&](int step, int rank) { return rank ^ (1 << step); }));
        agrees(told.recursive_doubling_all_gather(m),
               simulated_steps(
                   levels, log, [&](int step) { return m * (1 << step); },
                   [&](int step, int rank) { return rank ^ (p >> (step + 1)); }));
        agrees(told.recursive_halving_reduce_scatter(m),
               simulated_steps(
                   levels, log, [&](int step) { return m * (p >> (step + 1)); },
                   [&](int step, int rank) { return rank ^ (1 << step); }));
    }
}

TEST_CASE("rounds in which several ranks meet: by hand") {
    // A message takes 5 us, its sender 1 us: in a round of four, two gaps and a message.
    const std::vector<level_model<fixed>> level{{16, {{1 * us, 5 * us}}}};
    CHECK(rounds<fixed>{level, 4}.barrier() == doctest::Approx(2 * 7 * us));
    CHECK(rounds<fixed>{level, 2}.barrier() == doctest::Approx(4 * 5 * us));
    CHECK(rounds<fixed>{level, 16}.all_gather(8) == doctest::Approx(14 * us + 5 * us));
    // Four of six go through rounds, the others give theirs before and get the result behind.
    const std::vector<level_model<fixed>> six{{6, {{1 * us, 5 * us}}}};
    CHECK(rounds<fixed>{six, 2}.barrier() == doctest::Approx(2 * 5 * us + 2 * 5 * us));
    const std::vector<level_model<fixed>> two{{4, {{2 * us, 10 * us}}}, {4, {{1 * us, 2 * us}}}};
    CHECK(rounds<fixed>{two, 4}.barrier() == doctest::Approx((2 + 2) * us + (4 + 10) * us));
    // Sending three and receiving three takes a rank 3 * 3 us, the last message is there after 7.
    const std::vector<level_model<fixed>> laborious{{4, {{1 * us, 5 * us, 3 * us}}}};
    CHECK(rounds<fixed>{laborious, 4}.barrier() == doctest::Approx(9 * us));
    CHECK(rounds<fixed>{laborious, 2}.barrier() == doctest::Approx(2 * 5 * us));
    const std::vector<level_model<fixed>> one{{1, {{1 * us, 5 * us}}}};
    CHECK(rounds<fixed>{one, 4}.barrier() == 0);
    CHECK(rounds<fixed>{one, 4}.splitting_all_reduce(100, 0) == 0);

    // a = 1 us, b = 1 ns a byte. Split once into parts of 2000 bytes, which are short, and collected again.
    const links sixteen{{16, {1 * us, 1e9}}};
    CHECK(rounds<max_rate>{sixteen, 4}.splitting_all_reduce(8000, 2000) == doctest::Approx((9 + 9 + 9) * us));
    CHECK(rounds<max_rate>{sixteen, 4, 1e-9}.splitting_all_reduce(8000, 2000) ==
          doctest::Approx((9 + 9 + 9 + 2 * 6) * us));
    CHECK(rounds<max_rate>{sixteen, 4}.all_gather(1000) == doctest::Approx(3 * 2 * us + 3 * 5 * us));
    CHECK(rounds<max_rate>{sixteen, 4}.reduce_scatter(1000) == doctest::Approx(3 * 5 * us + 3 * 2 * us));
}

TEST_CASE("rounds of two ranks are doubling and halving") {
    const std::vector<links> machines{
        {{8, {1 * us, 1e9}}},
        {{4, {2 * us, 1e9, 2e9}}, {4, {0.5 * us, 4e9}}},
        {{8, {5 * us, 1e9, 1e9}}, {2, {1 * us, 4e9, 4e9}}, {4, {0.5 * us, 8e9}}}};
    for (const links& levels : machines)
        for (const double combine : {0.0, 1e-9}) {
            const exchanges<max_rate> known{levels, combine};
            const rounds<max_rate> told{levels, 2, combine};
            CHECK(told.all_reduce(3000) == doctest::Approx(known.recursive_doubling_all_reduce(3000)));
            CHECK(told.splitting_all_reduce(3000, 0) == doctest::Approx(known.rabenseifner_all_reduce(3000)));
            CHECK(told.all_gather(100) == doctest::Approx(known.recursive_doubling_all_gather(100)));
            CHECK(told.reduce_scatter(100) == doctest::Approx(known.recursive_halving_reduce_scatter(100)));
        }
}

} // namespace model_tests
