// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdlib>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace cluster_test {

/// Which host every rank of a cluster test runs on, worked out from the arguments alone, so that a test has
/// something to compare with that no MPI told it.
///
///     slots 4,2,3,1   block         0 0 0 0 1 1 2 2 2 3
///                     interleaved   0 1 2 3 0 1 2 0 2 0
struct arrangement {
    std::vector<int> slots;   ///< ranks on each host
    std::vector<int> host_of; ///< host of each rank of the whole communicator

    int hosts() const { return static_cast<int>(slots.size()); }
    int ranks() const { return static_cast<int>(host_of.size()); }

    /// The ranks that run on `host`, ascending.
    std::vector<int> ranks_on(int host) const {
        std::vector<int> found;
        for (int rank = 0; rank < ranks(); ++rank) {
            if (host_of[static_cast<std::size_t>(rank)] == host) {
                found.push_back(rank);
            }
        }
        return found;
    }

    static std::string host_name(int host) { return "node" + std::to_string(host); }
};

inline std::vector<int> deal_out(std::vector<int> left, bool interleaved) {
    std::vector<int> host_of;
    for (int remaining = std::accumulate(left.begin(), left.end(), 0); remaining > 0;) {
        for (std::size_t host = 0; host < left.size(); ++host) {
            int const count = interleaved ? (left[host] > 0 ? 1 : 0) : left[host];
            host_of.insert(host_of.end(), static_cast<std::size_t>(count), static_cast<int>(host));
            left[host] -= count;
            remaining -= count;
        }
    }
    return host_of;
}

/// Reads `--hosts H --slots a,b,c --order block|interleaved`; anything else ends the program with exit
/// code 2.
inline arrangement read_arrangement(int argc, char** argv) {
    auto const refuse = [&](std::string_view what) {
        std::cerr << argv[0] << ": " << what << "; wants --hosts H --slots a,b,c --order block|interleaved\n";
        std::exit(2);
    };
    arrangement result;
    int hosts = -1;
    std::string_view order;
    for (int i = 1; i + 1 < argc; i += 2) {
        std::string_view const option = argv[i];
        if (option == "--hosts") {
            hosts = std::atoi(argv[i + 1]);
        } else if (option == "--slots") {
            std::istringstream list{argv[i + 1]};
            for (std::string count; std::getline(list, count, ',');) {
                result.slots.push_back(std::atoi(count.c_str()));
            }
        } else if (option == "--order") {
            order = argv[i + 1];
        } else {
            refuse("unknown option " + std::string{option});
        }
    }
    if (argc % 2 == 0) {
        refuse("an option without a value");
    }
    if (hosts != result.hosts()) {
        refuse("--hosts and --slots disagree");
    }
    if (order != "block" && order != "interleaved") {
        refuse("--order is missing or unknown");
    }
    result.host_of = deal_out(result.slots, order == "interleaved");
    return result;
}

} // namespace cluster_test
