// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/mpi.hpp>
#include <topomp/decide/detail/probe.hpp>
#include <topomp/decide/detail/sharing.hpp>
#include <topomp/model/network_messages.hpp>

#include <boost/mpi/config.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace topo::detail {

/// One rank's end of a probe between two ranks.
class probe_end {
public:
    /// What both ends do next: messages one way, and one back.
    struct task {
        std::int64_t bytes = 0, count = 1, back = 0; ///< no bytes: the probe is over
    };
    static constexpr std::int64_t shortest = 64;

    probe_end(const two_nodes& where, int partner) : where_(where), partner_(partner) {}

    /// On the rank that measures: seconds from its first message to the answer. The other one has the task
    /// already.
    double measure(const task& next) {
        const double begin = MPI_Wtime();
        send(next.bytes, next.count);
        receive(next.back, 1);
        return MPI_Wtime() - begin;
    }
    /// Of the rank that answers.
    void reply(const task& next) {
        receive(next.bytes, next.count);
        send(next.back, 1);
    }

    /// Sends a task to the other rank, and carries it out.
    double assign(task next) {
        mpi::check(MPI_Send(&next, sizeof next, MPI_BYTE, partner_, where_.tag, where_.comm), "MPI_Send",
                   name);
        return next.bytes > 0 ? measure(next) : 0;
    }
    /// Carries out the tasks that arrive, until the last one.
    void serve() {
        for (task next{};; reply(next)) {
            mpi::check(
                MPI_Recv(&next, sizeof next, MPI_BYTE, partner_, where_.tag, where_.comm, MPI_STATUS_IGNORE),
                "MPI_Recv", name);
            if (next.bytes == 0) return;
        }
    }

private:
    static constexpr const char* name = "probe";
    /// All at a time, one behind the other in `room_`. @param start `start(message, request)`
    template <class Start>
    void move(std::int64_t bytes, std::int64_t count, Start start) {
        room_.resize(std::max(room_.size(), static_cast<std::size_t>(bytes * count)));
        requests_.assign(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
        char* at = room_.data();
        for (MPI_Request& each : requests_) {
            start(at, each);
            at += bytes;
        }
        mpi::check(MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE),
                   "MPI_Waitall", name);
    }
    void send(std::int64_t bytes, std::int64_t count) {
        move(bytes, count, [&](const char* at, MPI_Request& request) {
            mpi::check(
                MPI_Isend(at, static_cast<int>(bytes), MPI_BYTE, partner_, where_.tag, where_.comm, &request),
                "MPI_Isend", name);
        });
    }
    void receive(std::int64_t bytes, std::int64_t count) {
        move(bytes, count, [&](char* at, MPI_Request& request) {
            mpi::check(
                MPI_Irecv(at, static_cast<int>(bytes), MPI_BYTE, partner_, where_.tag, where_.comm, &request),
                "MPI_Irecv", name);
        });
    }

    const two_nodes& where_;
    int partner_;
    std::vector<char> room_;
    std::vector<MPI_Request> requests_;
};

/// What rank 0 measures with one rank of the other node.
[[gnu::cold]] TOPOMP_INLINE model::network_messages probe_pair(probe_end& end) {
    constexpr double longest = 0.03;                    // seconds for all of it
    constexpr int most = 20, most_long = 4, burst = 16; // tries
    constexpr std::int64_t long_bytes = 262144;         // longer ones continue it
    model::network_messages found;
    const double begin = MPI_Wtime();
    const auto left = [&] { return longest - (MPI_Wtime() - begin); };
    // The fastest of some tries, each of which takes about `expected` seconds.
    const auto fastest = [&](const probe_end::task& next, double expected) {
        double best = end.assign(next);
        const int tries = next.bytes > 4096 ? most_long : most;
        for (int i = 1; i < tries && left() > expected; ++i)
            best = std::min(best, end.assign(next));
        return best;
    };
    constexpr auto& lengths = model::network_messages::lengths;
    constexpr std::int64_t shortest = probe_end::shortest;
    constexpr probe_end::task short_trip{shortest, 1, shortest};
    end.assign(short_trip); // the first message may open a connection
    const double trip = fastest(short_trip, 0);
    const auto one_way = [&](std::int64_t bytes, double expected) {
        return fastest({bytes, 1, bytes}, expected) / 2;
    };
    // The longest first, so that there is a rate, then the shortest ones while there is time.
    const auto last = static_cast<std::size_t>(std::ranges::find(lengths, long_bytes) - lengths.begin());
    found.seconds[0] = trip / 2;
    found.seconds[last] = std::max(trip / 2, one_way(long_bytes, longest / 4));
    std::size_t known = 1;
    for (double expected = trip; known < last && expected < left(); ++known) {
        found.seconds[known] = std::clamp(one_way(static_cast<std::int64_t>(lengths[known]), expected),
                                          found.seconds[known - 1], found.seconds[last]);
        expected = 2 * found.seconds[known] * lengths[known + 1] / lengths[known];
    }
    const double slope =
        (found.seconds[last] - found.seconds[known - 1]) / (lengths[last] - lengths[known - 1]);
    for (; known < last; ++known)
        found.seconds[known] = found.seconds[last] - slope * (lengths[last] - lengths[known]);
    for (known = last + 1; known < lengths.size(); ++known)
        found.seconds[known] = found.seconds[known - 1] * lengths[known] / lengths[known - 1];

    const auto gap = [&](std::int64_t bytes, std::int64_t count, double expected) {
        const double alone = found.time(static_cast<double>(bytes));
        const double taken = fastest({bytes, count, shortest}, expected) - trip / 2 - alone;
        return std::clamp(taken / static_cast<double>(count - 1), alone / 1000, alone);
    };
    found.overhead = gap(shortest, burst, trip);
    constexpr std::int64_t few = 4;
    const double alone = found.time(static_cast<double>(long_bytes));
    // A stream is never slower than messages that wait for each other.
    found.stream_rate =
        static_cast<double>(long_bytes) / (few * alone < left() ? gap(long_bytes, few, few * alone) : alone);
    return found;
}

TOPOMP_INLINE model::network_messages probe_network(const sharing& ranks, const two_nodes& where) {
    const std::size_t pairs = std::min(where.first.size(), where.second.size());
    const auto place_in = [&](const auto& node) {
        return static_cast<std::size_t>(std::ranges::find(node.first(pairs), ranks.rank) - node.begin());
    };
    const std::size_t measured_pair = place_in(where.first), replied_pair = place_in(where.second);
    const bool is_measuring = measured_pair < pairs, is_replying = !is_measuring && replied_pair < pairs;
    probe_end end{where, is_measuring  ? where.second[measured_pair]
                         : is_replying ? where.first[replied_pair]
                                       : MPI_PROC_NULL};

    model::network_messages found;
    if (ranks.rank == 0) {
        found = probe_pair(end);
        end.assign({});
    } else if (is_replying && replied_pair == 0) {
        end.serve();
    }
    ranks.broadcast(&found, sizeof found);
    if (pairs < 2) {
        found.node_rate = found.stream_rate;
        return found;
    }

    // Now all pairs at a time, from the first node to the second: seconds of the slowest, of the faster try,
    // beyond a short message there and back.
    const auto beyond_trip = [&](const probe_end::task& next) {
        double best = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 2; ++i) {
            ranks.lowest(0); // all begin together
            double taken = 0;
            if (is_measuring) taken = end.measure(next);
            if (is_replying) end.reply(next);
            constexpr double per_second = 1e9;
            best = std::min(
                best, -static_cast<double>(ranks.lowest(-static_cast<std::int64_t>(taken * per_second))) /
                          per_second);
        }
        return best - 2 * found.seconds.front();
    };
    constexpr std::int64_t burst = 4, shortest = probe_end::shortest;
    constexpr double wanted = 2e-3; // seconds of a try at the rate of one rank
    const auto number = static_cast<double>(pairs);
    const double bytes = std::clamp(found.stream_rate * wanted / (burst * number), 4096.0, 262144.0);
    const auto each = static_cast<std::int64_t>(bytes);
    const double taken = beyond_trip({each, burst, shortest});
    const double alone = found.stream_rate, most = alone * number;
    const double moved = number * static_cast<double>(burst * each);
    found.node_rate = std::clamp(moved / std::max(taken, moved / most), alone, most);
    const double gap = beyond_trip({shortest, burst, shortest}) / (number * burst);
    // A limit of the node shows where its ranks together send less often than one alone would let them.
    found.node_overhead = gap * number > 1.25 * found.overhead ? gap : 0;
    return found;
}

} // namespace topo::detail
