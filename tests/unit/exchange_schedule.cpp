// SPDX-License-Identifier: BSL-1.0
// The schedules of exchanges, played by all positions of rows of up to 64, on sets of who has contributed.
#include "support/made_up.hpp"
#include <topomp/algorithm/exchange_schedule.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

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
        for (const auto& [way, waiting] : mail_)
            if (!waiting.empty() && problem_.empty())
                problem_ = "a message to " + std::to_string(way.second) + " is not received";
        return problem_;
    }

private:
    bool step(std::size_t position) {
        if (at_[position] == plans_[position].size()) return false;
        const exchange_step& now = plans_[position][at_[position]];
        const int me = static_cast<int>(position);
        if (!started_[position] && now.to != exchange_step::nobody)
            mail_[{me, now.to}].push_back(
                contents(data[position].begin() + now.out.first, data[position].begin() + now.out.end));
        started_[position] = true;
        if (now.from != exchange_step::nobody) {
            auto& waiting = mail_[{now.from, me}];
            if (waiting.empty()) return false;
            receive(position, now, waiting.front());
            waiting.erase(waiting.begin());
        }
        started_[position] = false;
        ++at_[position];
        return true;
    }

    void receive(std::size_t position, const exchange_step& now, const contents& come) {
        if (static_cast<int>(come.size()) != now.in.end - now.in.first) problem_ = "other parts come";
        for (std::size_t i = 0; i < come.size() && problem_.empty(); ++i) {
            content& mine = data[position][static_cast<std::size_t>(now.in.first) + i];
            content left = come[i], right = mine;
            if (now.how == arrival::behind) std::swap(left, right);
            if (now.how == arrival::replaces) right.clear();
            if (now.how != arrival::replaces && (left.empty() || right.empty()))
                problem_ = "nothing is added";
            left.insert(left.end(), right.begin(), right.end());
            mine = left;
        }
    }

    std::vector<exchange_schedule> plans_;
    std::vector<std::size_t> at_;
    std::vector<bool> started_;
    std::map<std::pair<int, int>, std::vector<contents>> mail_;
    std::string problem_;
};

content everybody(int size) {
    content all;
    for (int position = 0; position < size; ++position)
        all.push_back(position);
    return all;
}

bool is_all(content what, int size) {
    std::ranges::sort(what);
    return what == everybody(size);
}

/// Everybody begins with its own operand in all parts.
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
        INFO(size << " positions");
        folded_row row;
        row.set(size);
        f(size, row);
    }
}

const content& part_of(const play& game, int position, int part) {
    return game.data[static_cast<std::size_t>(position)][static_cast<std::size_t>(part)];
}

} // namespace

TEST_CASE("a folded row has each position once, in groups of one or two neighbours") {
    for_all_sizes([](int size, const folded_row& row) {
        CHECK(row.groups() <= size);
        CHECK(row.groups() * 2 > size);
        std::vector<int> owners;
        for (int part = 0; part < size; ++part)
            owners.push_back(row.position_of(part));
        CHECK(is_all(owners, size));
        for (int group = 0; group < row.groups(); ++group) {
            const auto own = row.held(group, row.steps());
            CHECK(row.position_of(own.first) == row.leader(group));
            CHECK(own.end - own.first == (row.follower(group) == exchange_step::nobody ? 1 : 2));
        }
    });
}

TEST_CASE("all-reduce by doubling everything: in the order of positions, the same everywhere") {
    for_all_sizes([](int size, const folded_row& row) {
        play game = reduction(size);
        for (int position = 0; position < size; ++position)
            add_whole_doubling(row, position, game.plan(position));
        CHECK(game.run().empty());
        bool is_right = true;
        for (const auto& each : game.data)
            is_right = is_right && each == contents(static_cast<std::size_t>(size), everybody(size));
        CHECK(is_right);
    });
}

TEST_CASE("reduce-scatter by halving: everybody its own part, in about log2 steps") {
    for_all_sizes([](int size, const folded_row& row) {
        play game = reduction(size);
        for (int position = 0; position < size; ++position) {
            auto& plan = game.plan(position);
            add_fold(row, position, plan);
            add_halving(row, position, plan);
            if (const int other = row.follower(row.group_of(position)); other != exchange_step::nobody)
                add_unfold(row, position, row.own(other), plan);
            CHECK(static_cast<int>(plan.size()) <= row.steps() + 2);
        }
        CHECK(game.run().empty());
        for (int part = 0; part < size; ++part)
            CHECK(is_all(part_of(game, row.position_of(part), part), size));
    });
}

TEST_CASE("most data goes to the neighbour") {
    for_all_sizes([](int size, const folded_row& row) {
        exchange_schedule plan;
        const int position = row.leader(0);
        add_halving(row, position, plan);
        for (std::size_t k = 1; k < plan.size(); ++k) {
            CHECK(plan[k].out.end - plan[k].out.first <= plan[k - 1].out.end - plan[k - 1].out.first + 1);
            CHECK(plan[k].to - position > plan[k - 1].to - position);
        }
        if (size > 3) CHECK(plan.front().to <= 2);
    });
}

TEST_CASE("all-reduce by halving and doubling, and around a ring") {
    for_all_sizes([](int size, const folded_row& row) {
        play game = reduction(size), around = reduction(size);
        for (int position = 0; position < size; ++position) {
            add_fold(row, position, game.plan(position));
            add_halving(row, position, game.plan(position));
            add_doubling(row, position, game.plan(position));
            add_unfold(row, position, row.all(), game.plan(position));
            add_ring_reduction(size, position, around.plan(position));
            add_ring_gather(size, position, around.plan(position));
        }
        CHECK(game.run().empty());
        CHECK(around.run().empty());
        bool is_right = true;
        for (int position = 0; position < size; ++position)
            for (int part = 0; part < size; ++part) {
                is_right = is_right && is_all(part_of(game, position, part), size) &&
                           is_all(part_of(around, position, part), size);
                is_right = is_right && part_of(game, position, part) == part_of(game, 0, part) &&
                           part_of(around, position, part) == part_of(around, 0, part);
            }
        CHECK(is_right); // and all the same, so the same bits
    });
}

TEST_CASE("reduce by halving and a gather: to every root, which leads its pair") {
    for_all_sizes([](int size, const folded_row&) {
        for (int root = 0; root<size; root += size> 20 ? 5 : 1) {
            folded_row row;
            row.set(size, root);
            CHECK(row.is_leader(root));
            play game = reduction(size);
            for (int position = 0; position < size; ++position) {
                add_fold(row, position, game.plan(position));
                add_halving(row, position, game.plan(position));
                add_gather(row, position, root, game.plan(position));
            }
            CHECK(game.run().empty());
            bool is_right = true;
            for (int part = 0; part < size; ++part)
                is_right = is_right && is_all(part_of(game, root, part), size);
            CHECK(is_right);
        }
    });
}

TEST_CASE("all-gather by doubling and around a ring: everybody's part everywhere") {
    for_all_sizes([](int size, const folded_row& row) {
        play game{size}, around{size};
        for (int position = 0; position < size; ++position) {
            const auto p = static_cast<std::size_t>(position);
            game.data[p] = around.data[p] = contents(static_cast<std::size_t>(size));
            around.data[p][p] = {position};
            game.data[p][static_cast<std::size_t>(row.own(position).first)] = {position};
            add_collection(row, position, game.plan(position));
            add_doubling(row, position, game.plan(position));
            add_unfold(row, position, row.all(), game.plan(position));
            add_ring_gather(size, position, around.plan(position));
        }
        CHECK(game.run().empty());
        CHECK(around.run().empty());
        bool is_right = true;
        for (int position = 0; position < size; ++position)
            for (int part = 0; part < size; ++part)
                is_right = is_right && part_of(game, position, part) == content{row.position_of(part)} &&
                           part_of(around, position, part) == content{part};
        CHECK(is_right);
    });
}
