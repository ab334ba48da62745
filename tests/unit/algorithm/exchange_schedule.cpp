// SPDX-License-Identifier: BSL-1.0
// The schedules of exchanges, played by all positions of rows of up to 64, on sets of who has contributed.
#include "support/made_up.hpp"
#include <topomp/algorithm/schedule/exchange_schedule.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace exchange_schedule_tests {

using namespace topo::detail;

namespace {

/// Whose operands a part holds, in the order in which they were combined; empty: nothing worth reading.
using content = std::vector<int>;
using contents = std::vector<content>; ///< of all parts

/// Plays one schedule for each position, messages in order between each pair. @return what went wrong
class play {
public:
    std::vector<contents> data; ///< of each position

    explicit play(int size) : data(static_cast<std::size_t>(size)), plans_(data.size()), at_(data.size()) {
        started_.resize(data.size());
    }

    exchange_schedule& plan(int position) { return plans_[static_cast<std::size_t>(position)]; }

    std::string run() {
        bool is_moving = true;
        while (is_moving && problem_.empty()) {
            is_moving = false;
            for (std::size_t position = 0; position < data.size(); ++position)
                while (step(position))
                    is_moving = true;
        }
        for (std::size_t position = 0; position < data.size(); ++position)
            if (at_[position] != plans_[position].size() && problem_.empty())
                problem_ = "position " + std::to_string(position) + " waits for ever";
        for (const auto& [algorithm, waiting] : mail_)
            if (!waiting.empty() && problem_.empty())
                problem_ = "a message to " + std::to_string(algorithm.second) + " is not received";
        return problem_;
    }

private:
    /// Sends all of a round; receives and combines it when all has come. @return whether something moved
    bool step(std::size_t position) {
        const exchange_schedule& plan = plans_[position];
        const std::size_t begin = at_[position];
        if (begin == plan.size()) return false;
        std::size_t end = begin + 1;
        while (end < plan.size() && plan[end].joins_last)
            ++end;
        const std::span round{plan.data() + begin, end - begin};
        const int me = static_cast<int>(position);
        for (const exchange_step& now : round)
            if (!started_[position] && now.to != exchange_step::no_rank)
                mail_[{me, now.to}].push_back(
                    contents(data[position].begin() + now.out.first, data[position].begin() + now.out.end));
        started_[position] = true;
        for (const exchange_step& now : round)
            if (now.from != exchange_step::no_rank && mail_[{now.from, me}].empty()) return false;
        contents after = data[position];
        std::vector<contents> before, behind;
        for (const exchange_step& now : round) {
            if (now.from == exchange_step::no_rank) continue;
            auto& waiting = mail_[{now.from, me}];
            const contents come = waiting.front();
            waiting.erase(waiting.begin());
            if (static_cast<int>(come.size()) != now.in.end - now.in.first)
                problem_ = "other parts come";
            else if (now.arrives_as == arrival::before)
                before.push_back(come);
            else if (now.arrives_as == arrival::behind)
                behind.push_back(come);
            else
                for (std::size_t i = 0; i < come.size(); ++i)
                    put(after[static_cast<std::size_t>(now.in.first) + i], come[i], now.arrives_as);
        }
        if (!before.empty() || !behind.empty()) {
            const auto at = after.begin() + round.front().in.first;
            before.emplace_back(at, after.begin() + round.front().in.end);
            before.insert(before.end(), behind.begin(), behind.end());
            for (std::size_t i = 0; i < before.front().size(); ++i) {
                content& whole = at[static_cast<std::ptrdiff_t>(i)];
                whole.clear();
                for (const contents& operand : before)
                    whole.insert(whole.end(), operand[i].begin(), operand[i].end());
            }
        }
        data[position] = after;
        started_[position] = false;
        at_[position] = end;
        return true;
    }

    void put(content& mine, const content& come, arrival arrives_as) {
        if (arrives_as == arrival::replaces) {
            mine = come;
            return;
        }
        if (mine.empty() || come.empty()) problem_ = "nothing is added";
        mine.insert(mine.end(), come.begin(), come.end());
    }

    std::vector<exchange_schedule> plans_;
    std::vector<std::size_t> at_;
    std::vector<bool> started_;
    std::map<std::pair<int, int>, std::vector<contents>> mail_;
    std::string problem_;
};

content all_ranks(int size) {
    content all;
    for (int position = 0; position < size; ++position)
        all.push_back(position);
    return all;
}

bool is_all(content what, int size) {
    std::ranges::sort(what);
    return what == all_ranks(size);
}

/// Every rank begins with its own operand in all parts.
play reduction(int size) {
    play game{size};
    for (int position = 0; position < size; ++position)
        game.data[static_cast<std::size_t>(position)] =
            contents(static_cast<std::size_t>(size), content{position});
    return game;
}

template <class F>
void for_all_sizes(F f) {
    for (int size = 1; size <= (topo_test::is_watched ? 32 : 64); ++size) {
        for (const int most : {2, 3, 4, 16}) {
            if (most > 2 && size > (topo_test::is_watched ? 16 : 32)) continue;
            INFO(size << " positions, rounds of up to " << most);
            folded_order rank_order;
            rank_order.set(size, {}, most);
            f(size, rank_order);
        }
        for (const int block : {3, 4, 6}) {
            if (size % block != 0 || size > (topo_test::is_watched ? 24 : 48)) continue;
            INFO(size << " positions in blocks of " << block);
            folded_order rank_order;
            rank_order.set(size, std::array{block}, 4);
            f(size, rank_order);
        }
    }
}

const content& stripe_of(const play& game, int position, int part) {
    return game.data[static_cast<std::size_t>(position)][static_cast<std::size_t>(part)];
}

} // namespace

TEST_CASE("radices: rounds follow equal blocks, and fold where a number has no small primes") {
    using list = std::vector<int>;
    const auto of = [](int size, std::span<const int> blocks, int most) {
        const radices found{size, blocks, most};
        return list(found.all().begin(), found.all().end());
    };
    CHECK(of(1, {}, 2) == list{});
    CHECK(of(64, {}, 2) == list{2, 2, 2, 2, 2, 2});
    CHECK(of(127, {}, 2) == list{2, 2, 2, 2, 2, 2});
    CHECK(of(240, std::array{6, 12, 24}, 4) == list{2, 3, 2, 2, 2, 5});
    CHECK(of(240, std::array{24}, 4) == list{2, 3, 4, 2, 5});
    CHECK(of(240, std::array{24}, 16) == list{4, 6, 10});
    CHECK(of(240, std::array{24}, 2) == list{2, 2, 2, 2, 2, 2, 2});  // 24 is no power of 2
    CHECK(of(24 * 31, std::array{24}, 4) == list{2, 3, 4, 2, 3, 5}); // 31 nodes: two in pairs
    CHECK(of(22, std::array{11}, 4) == list{3, 7});                  // 11 is no product
}

TEST_CASE("a folded row has each position once, in groups of one or two neighbours") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        CHECK(rank_order.groups() <= size);
        CHECK(rank_order.groups() * 2 > size);
        std::vector<int> owners;
        for (int part = 0; part < size; ++part)
            owners.push_back(rank_order.position_of(part));
        CHECK(is_all(owners, size));
        for (int group = 0; group < rank_order.groups(); ++group) {
            const auto own = rank_order.held(group, rank_order.rounds());
            CHECK(rank_order.position_of(own.first) == rank_order.leader(group));
            CHECK(own.end - own.first == (rank_order.follower(group) == exchange_step::no_rank ? 1 : 2));
        }
    });
}

TEST_CASE("all-reduce by doubling everything: in the order of positions, the same everywhere") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        play game = reduction(size);
        for (int position = 0; position < size; ++position)
            add_ordered_doubling(rank_order, position, game.plan(position));
        CHECK(game.run().empty());
        bool is_right = true;
        for (const auto& each : game.data)
            is_right = is_right && each == contents(static_cast<std::size_t>(size), all_ranks(size));
        CHECK(is_right);
    });
}

TEST_CASE("reduce-scatter by recursive halving: to every rank its own part") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        play game = reduction(size);
        for (int position = 0; position < size; ++position) {
            auto& plan = game.plan(position);
            add_fold(rank_order, position, plan);
            add_halving(rank_order, position, rank_order.rounds(), plan);
            if (const int other = rank_order.follower(rank_order.group_of(position));
                other != exchange_step::no_rank)
                add_unfold(rank_order, position, rank_order.own(other), plan);
        }
        CHECK(game.run().empty());
        for (int part = 0; part < size; ++part)
            CHECK(is_all(stripe_of(game, rank_order.position_of(part), part), size));
    });
}

TEST_CASE("most data goes to the neighbour") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        exchange_schedule plan;
        const int position = rank_order.leader(0);
        add_halving(rank_order, position, rank_order.rounds(), plan);
        for (std::size_t k = 1; k < plan.size(); ++k) {
            const auto longest = plan[k - 1].out.end - plan[k - 1].out.first + rank_order.radix(0);
            CHECK(plan[k].out.end - plan[k].out.first <= longest);
            CHECK(plan[k].to - position > plan[k - 1].to - position);
        }
        if (size > 3 && rank_order.radix(0) == 2) CHECK(plan.front().to <= 2);
    });
}

TEST_CASE("all-reduce by halving and doubling, and around a ring") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        play game = reduction(size), around = reduction(size);
        for (int position = 0; position < size; ++position) {
            add_fold(rank_order, position, game.plan(position));
            add_halving(rank_order, position, rank_order.rounds(), game.plan(position));
            add_doubling(rank_order, position, rank_order.rounds(), game.plan(position));
            add_unfold(rank_order, position, rank_order.all(), game.plan(position));
            add_ring_reduction(size, position, around.plan(position));
            add_ring_gather(size, position, around.plan(position));
        }
        CHECK(game.run().empty());
        CHECK(around.run().empty());
        bool is_right = true;
        for (int position = 0; position < size; ++position)
            for (int part = 0; part < size; ++part) {
                is_right = is_right && is_all(stripe_of(game, position, part), size) &&
                           is_all(stripe_of(around, position, part), size);
                is_right = is_right && stripe_of(game, position, part) == stripe_of(game, 0, part) &&
                           stripe_of(around, position, part) == stripe_of(around, 0, part);
            }
        CHECK(is_right); // and all the same, so the same bits
    });
}

TEST_CASE("Bine: the pairs of each round") {
    folded_order rank_order;
    rank_order.set_bine(8);
    const auto partners = [&](int round) {
        std::vector<int> found;
        for (int group = 0; group < 8; ++group)
            for_round(rank_order, group, round, [&](int other) { found.push_back(other); });
        return found;
    };
    CHECK(partners(0) == std::vector{1, 0, 3, 2, 5, 4, 7, 6});
    CHECK(partners(1) == std::vector{7, 2, 1, 4, 3, 6, 5, 0});
    CHECK(partners(2) == std::vector{3, 6, 5, 0, 7, 2, 1, 4});
    rank_order.set(8); // and no Bine any more
    CHECK(partners(2) == std::vector{4, 5, 6, 7, 0, 1, 2, 3});
}

TEST_CASE("all-reduce by Bine: the operands of all ranks, the same everywhere") {
    for (int size = 1; size <= (topo_test::is_watched ? 32 : 64); ++size) {
        INFO(size << " positions");
        folded_order rank_order;
        rank_order.set_bine(size);
        play halved = reduction(size), game = reduction(size);
        for (int position = 0; position < size; ++position) {
            for (exchange_schedule* const plan : {&halved.plan(position), &game.plan(position)}) {
                add_fold(rank_order, position, *plan);
                add_halving(rank_order, position, rank_order.rounds(), *plan);
            }
            add_doubling(rank_order, position, rank_order.rounds(), game.plan(position));
            add_unfold(rank_order, position, rank_order.all(), game.plan(position));
        }
        CHECK(halved.run().empty());
        CHECK(game.run().empty());
        bool is_right = true;
        for (int part = 0; part < size; ++part) {
            const int owner = rank_order.leader(rank_order.group_of(rank_order.position_of(part)));
            is_right = is_right && is_all(stripe_of(halved, owner, part), size);
            for (int position = 0; position < size; ++position)
                is_right = is_right && stripe_of(game, position, part) == stripe_of(halved, owner, part);
        }
        CHECK(is_right);
    }
}

TEST_CASE("all-reduce: halving in some rounds, whole parts in the others") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        for (int splits = 0; splits <= rank_order.rounds(); ++splits) {
            play game = reduction(size);
            for (int position = 0; position < size; ++position) {
                auto& plan = game.plan(position);
                add_fold(rank_order, position, plan);
                add_halving(rank_order, position, splits, plan);
                add_whole_doubling(rank_order, position, splits, plan);
                add_doubling(rank_order, position, splits, plan);
                add_unfold(rank_order, position, rank_order.all(), plan);
            }
            CHECK(game.run().empty());
            bool is_right = true;
            for (int position = 0; position < size; ++position)
                for (int part = 0; part < size; ++part)
                    is_right = is_right && is_all(stripe_of(game, position, part), size) &&
                               stripe_of(game, position, part) == stripe_of(game, 0, part);
            CHECK(is_right);
        }
    });
}

TEST_CASE("reduce by halving and a gather: to every root, which leads its pair") {
    for_all_sizes([](int size, const folded_order&) {
        for (int root = 0; root<size; root += size> 20 ? 5 : 1) {
            folded_order rank_order;
            rank_order.set(size, {}, 2 + root % 3, root);
            CHECK(rank_order.is_leader(root));
            play game = reduction(size);
            for (int position = 0; position < size; ++position) {
                add_fold(rank_order, position, game.plan(position));
                add_halving(rank_order, position, rank_order.rounds(), game.plan(position));
                add_gather(rank_order, position, root, game.plan(position));
            }
            CHECK(game.run().empty());
            bool is_right = true;
            for (int part = 0; part < size; ++part)
                is_right = is_right && is_all(stripe_of(game, root, part), size);
            CHECK(is_right);
        }
    });
}

TEST_CASE("broadcast: a part for each leader from every root, and all parts to all") {
    for_all_sizes([](int size, const folded_order&) {
        for (int root = 0; root<size; root += size> 20 ? 5 : 1) {
            folded_order rank_order;
            rank_order.set(size, {}, 2 + root % 3, root);
            play game{size};
            for (int position = 0; position < size; ++position) {
                auto& mine = game.data[static_cast<std::size_t>(position)];
                mine.resize(static_cast<std::size_t>(size));
                for (int part = 0; position == root && part < size; ++part)
                    mine[static_cast<std::size_t>(part)] = {part};
                add_scatter(rank_order, position, root, game.plan(position));
                std::size_t steps_of_scatter = 0;
                for (const exchange_step& each : game.plan(position))
                    if (each.from != exchange_step::no_rank) ++steps_of_scatter;
                CHECK(steps_of_scatter == (position != root && rank_order.is_leader(position) ? 1 : 0));
                add_doubling(rank_order, position, rank_order.rounds(), game.plan(position));
                add_unfold(rank_order, position, rank_order.all(), game.plan(position));
            }
            CHECK(game.run().empty());
            bool is_right = true;
            for (int position = 0; position < size; ++position)
                for (int part = 0; part < size; ++part)
                    is_right = is_right && stripe_of(game, position, part) == content{part};
            CHECK(is_right);
        }
    });
}

TEST_CASE("all-gather by doubling and around a ring: every rank's part everywhere") {
    for_all_sizes([](int size, const folded_order& rank_order) {
        play game{size}, around{size};
        for (int position = 0; position < size; ++position) {
            const auto p = static_cast<std::size_t>(position);
            game.data[p] = around.data[p] = contents(static_cast<std::size_t>(size));
            around.data[p][p] = {position};
            game.data[p][static_cast<std::size_t>(rank_order.own(position).first)] = {position};
            add_collection(rank_order, position, game.plan(position));
            add_doubling(rank_order, position, rank_order.rounds(), game.plan(position));
            add_unfold(rank_order, position, rank_order.all(), game.plan(position));
            add_ring_gather(size, position, around.plan(position));
        }
        CHECK(game.run().empty());
        CHECK(around.run().empty());
        bool is_right = true;
        for (int position = 0; position < size; ++position)
            for (int part = 0; part < size; ++part)
                is_right = is_right &&
                           stripe_of(game, position, part) == content{rank_order.position_of(part)} &&
                           stripe_of(around, position, part) == content{part};
        CHECK(is_right);
    });
}

} // namespace exchange_schedule_tests
