// SPDX-License-Identifier: BSL-1.0
#include "measure_messages.hpp"

#include <topomp/core/mpi.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <unistd.h>
#include <utility>

namespace topo::tool {

namespace {

constexpr int tag = 1;
constexpr std::array<int, 9> message_lengths{0, 8, 64, 512, 4096, 32768, 131072, 524288, 2097152};
constexpr int window = 32; ///< messages at a time, where the gap between them is measured, and twice as many
constexpr int long_window = 4;        ///< the same of long ones
constexpr int stream_bytes = 1 << 20; ///< of each message where several ranks send
constexpr double least_time = 1e-10;  ///< what cannot be told from nothing is written as this

/// The median of samples, and how far they spread: the distance of the quartiles, as a part of the median.
struct summary {
    double median, spread;
};

summary summary_of(std::vector<double> samples) {
    std::ranges::sort(samples);
    const auto at = [&](double part) {
        return samples[static_cast<std::size_t>(std::lround(part * static_cast<double>(samples.size() - 1)))];
    };
    const double middle = std::max(least_time, samples[samples.size() / 2]);
    return {middle, (at(0.75) - at(0.25)) / middle};
}

double median(std::vector<double> samples) {
    const auto middle = samples.begin() + static_cast<std::ptrdiff_t>(samples.size() / 2);
    std::ranges::nth_element(samples, middle);
    return *middle;
}

/// One of two ranks that measure with each other. Both call the same functions; rank 0 has the times.
class end_of_pair {
public:
    end_of_pair(MPI_Comm comm, double seconds)
        : comm_(comm), rank_(mpi::comm_rank(comm)), seconds_(seconds),
          sent_(static_cast<std::size_t>(message_lengths.back())),
          received_(std::size_t{2} * std::size_t{long_window} *
                    static_cast<std::size_t>(message_lengths.back())) {}

    std::vector<double> measure() {
        std::vector<double> result;
        for (const int bytes : message_lengths) {
            const summary trip = repeated([&] { return round_trip(bytes); });
            const summary sends = repeated([&] { return sending(bytes); });
            const summary receives = repeated([&] { return receiving(bytes, trip.median + 2e-5); });
            const summary gaps = repeated([&] { return between(bytes); });
            result.insert(result.end(),
                          {static_cast<double>(bytes), sends.median, receives.median, gaps.median,
                           trip.median / 2, sends.spread, receives.spread, gaps.spread, trip.spread});
        }
        return result;
    }

private:
    /// Of as many samples as there is time for: rank 0 decides after the second.
    summary repeated(const std::function<double()>& sample) {
        sample(); // the first makes connections
        const double start = MPI_Wtime();
        std::vector<double> samples{sample()};
        const double share = seconds_ / (4 * static_cast<double>(message_lengths.size()));
        int more =
            is_simulated
                ? 0
                : static_cast<int>(std::clamp(share / std::max(1e-7, MPI_Wtime() - start), 2.0, 400.0));
        MPI_Bcast(&more, 1, MPI_INT, 0, comm_);
        for (; more > 0; --more)
            samples.push_back(sample());
        return summary_of(std::move(samples));
    }

    void send(int bytes) { MPI_Send(sent_.data(), bytes, MPI_BYTE, 1 - rank_, tag, comm_); }
    void receive(int bytes) {
        MPI_Recv(received_.data(), bytes, MPI_BYTE, 1 - rank_, tag, comm_, MPI_STATUS_IGNORE);
        if (bytes > 0) sent_[0] = received_[0] + 1; // no two messages are alike
    }

    double round_trip(int bytes) {
        const double start = MPI_Wtime();
        if (rank_ == 0) {
            send(bytes);
            receive(bytes);
        } else {
            receive(bytes);
            send(bytes);
        }
        return MPI_Wtime() - start;
    }

    /// How long a send keeps its caller: to start it, and to end it when the answer has come.
    double sending(int bytes) {
        if (rank_ != 0) {
            receive(bytes);
            send(0);
            return 0;
        }
        MPI_Request request = MPI_REQUEST_NULL;
        const double start = MPI_Wtime();
        MPI_Isend(sent_.data(), bytes, MPI_BYTE, 1, tag, comm_, &request);
        const double started = MPI_Wtime();
        receive(0);
        const double answered = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return started - start + MPI_Wtime() - answered;
    }

    /// How long it keeps a rank to receive what has come while it did something else.
    double receiving(int bytes, double wait) {
        if (rank_ != 0) {
            receive(0); // so that the other is ready
            send(bytes);
            return 0;
        }
        MPI_Request request = MPI_REQUEST_NULL;
        MPI_Irecv(received_.data(), bytes, MPI_BYTE, 1, tag, comm_, &request);
        send(0);
        usleep(static_cast<unsigned>(wait * 1e6));
        const double start = MPI_Wtime();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        return MPI_Wtime() - start;
    }

    /// Between messages that follow each other: what twice as many of them take longer.
    double between(int bytes) {
        const int messages = bytes <= 4096 ? window : long_window;
        return std::max(0.0, stream(bytes, 2 * messages) - stream(bytes, messages)) / messages;
    }
    double stream(int bytes, int messages) {
        std::array<MPI_Request, std::size_t{2} * std::size_t{window}> requests{};
        const double start = MPI_Wtime();
        for (int i = 0; i < messages; ++i) {
            auto& request = requests[static_cast<std::size_t>(i)];
            if (rank_ == 0)
                MPI_Isend(sent_.data(), bytes, MPI_BYTE, 1, tag, comm_, &request);
            else
                MPI_Irecv(received_.data() + static_cast<std::ptrdiff_t>(i) * bytes, bytes, MPI_BYTE, 0, tag,
                          comm_, &request);
        }
        MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
        if (rank_ == 0)
            receive(0);
        else
            send(0);
        return MPI_Wtime() - start;
    }

    MPI_Comm comm_;
    int rank_;
    double seconds_;
    std::vector<unsigned char> sent_, received_;
};

} // namespace

void wait_asleep(MPI_Comm comm) {
    if constexpr (is_simulated) {
        MPI_Barrier(comm); // waits for nothing but simulated time
        return;
    }
    MPI_Request all = MPI_REQUEST_NULL;
    mpi::check(MPI_Ibarrier(comm, &all), "MPI_Ibarrier", "ranks that wait");
    for (int is_done = 0;;) {
        mpi::check(MPI_Test(&all, &is_done, MPI_STATUS_IGNORE), "MPI_Test", "ranks that wait");
        if (is_done != 0) return;
        usleep(500);
    }
}

std::vector<double> measure_messages(const boost::mpi::communicator& two, double seconds) {
    return end_of_pair{two, seconds}.measure();
}

std::vector<double> measure_rates(const boost::mpi::communicator& ranks) {
    const MPI_Comm comm = ranks;
    const int flows = ranks.size() / 2;
    constexpr int messages = 4;
    const int rank = ranks.rank(), partner = rank < flows ? rank + flows : rank - flows;
    std::vector<unsigned char> data(static_cast<std::size_t>(stream_bytes) * messages);
    std::vector<double> sums, together;
    for (int repetition = 0; repetition < (is_simulated ? 2 : 6); ++repetition) {
        std::array<MPI_Request, messages> requests{};
        MPI_Barrier(comm);
        const double start = MPI_Wtime();
        for (int i = 0; i < messages; ++i) {
            auto* const at = data.data() + static_cast<std::ptrdiff_t>(i) * stream_bytes;
            auto& request = requests[static_cast<std::size_t>(i)];
            if (rank < flows)
                MPI_Isend(at, stream_bytes, MPI_BYTE, partner, tag, comm, &request);
            else
                MPI_Irecv(at, stream_bytes, MPI_BYTE, partner, tag, comm, &request);
        }
        MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
        const double mine = rank < flows ? 0 : MPI_Wtime() - start;
        constexpr double bytes = static_cast<double>(messages) * stream_bytes;
        double slowest = 0, rate = rank < flows ? 0 : bytes / mine, sum = 0;
        MPI_Allreduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
        MPI_Allreduce(&rate, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
        if (repetition == 0) continue;
        sums.push_back(sum);
        together.push_back(flows * bytes / slowest);
    }
    return {median(std::move(sums)), median(std::move(together))};
}

} // namespace topo::tool
