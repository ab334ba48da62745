// SPDX-License-Identifier: BSL-1.0
/// @file
/// Messages of the program's own on communicators that topomp uses or gives out.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <string>

namespace topo_random {

/// On each communicator a receive from anybody with any tag, which only the program's own message may
/// complete; or that message, which waits until it is received at the end.
class user_messages {
public:
    user_messages() = default;
    user_messages(const user_messages&) = delete;
    user_messages& operator=(const user_messages&) = delete;

    /// @collective over `comm` as far as `finish` is
    void expect_on(MPI_Comm comm) {
        if (comm == MPI_COMM_NULL) return;
        message& one = add(comm);
        one.is_expected = true;
        receive(one);
    }
    void send_on(MPI_Comm comm) {
        if (comm == MPI_COMM_NULL) return;
        send(add(comm));
    }

    /// What has come that should not have, in words. The user's own may be early.
    std::string difference() {
        for (message& each : all_) {
            int has_come = 0;
            MPI_Status status;
            if (each.is_expected) MPI_Request_get_status(each.in, &has_come, &status);
            if (has_come != 0 && !each.is_users(status)) return not_users;
        }
        return {};
    }

    /// Each sends its own message to the next and receives one. @collective over all communicators
    std::string finish() {
        if (auto problem = difference(); !problem.empty()) return problem;
        for (message& each : all_)
            if (each.is_expected)
                send(each);
            else
                receive(each);
        std::string problem;
        for (message& each : all_) {
            MPI_Status status;
            MPI_Wait(&each.in, &status);
            MPI_Wait(&each.out, MPI_STATUS_IGNORE);
            if (!each.is_users(status)) problem = not_users;
        }
        all_.clear();
        return problem;
    }

private:
    static constexpr int tag = 1, first_value = 700'000;
    static constexpr auto not_users = "the user's receive got a message that is not the user's";

    struct message {
        MPI_Comm comm = MPI_COMM_NULL;
        int rank = 0, size = 1, sent = 0, received = -1;
        bool is_expected = false;
        MPI_Request in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;

        bool is_users(const MPI_Status& status) const {
            const int before = (rank + size - 1) % size;
            return status.MPI_SOURCE == before && status.MPI_TAG == tag && received == first_value + before;
        }
    };

    message& add(MPI_Comm comm) {
        message& one = all_.emplace_back();
        one.comm = comm;
        MPI_Comm_rank(comm, &one.rank);
        MPI_Comm_size(comm, &one.size);
        one.sent = first_value + one.rank;
        return one;
    }
    static void receive(message& one) {
        MPI_Irecv(&one.received, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, one.comm, &one.in);
    }
    static void send(message& one) {
        MPI_Isend(&one.sent, 1, MPI_INT, (one.rank + 1) % one.size, tag, one.comm, &one.out);
    }

    std::deque<message> all_; // which MPI has the addresses of
};

} // namespace topo_random
