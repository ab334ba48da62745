// SPDX-License-Identifier: BSL-1.0
/// @file
/// What tests of collectives loop over, and buffers that notice writes past their ends.
#pragma once

#include "made_up.hpp"

#include <boost/mpi/communicator.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <string>
#include <vector>

namespace topo_test {

/// The communicators to try: all ranks; of 16 ranks also the first 5, 6, 9 and 12. Null on ranks left out.
/// @collective over `world`
inline std::vector<boost::mpi::communicator> communicators(const boost::mpi::communicator& world) {
    std::vector<boost::mpi::communicator> result{world};
    if (world.size() != 16) return result;
    for (const int size : {5, 6, 9, 12}) {
        const bool is_in = world.rank() < size;
        auto part = world.split(is_in ? 0 : 1);
        if (is_in) result.push_back(part);
    }
    return result;
}

/// A step through combinations of machine, policy, root and size: all of them on few ranks, a sample where
/// calls are slow. Prime, so that the sample meets every root and every size.
inline std::size_t sampling(const boost::mpi::communicator& world) {
    if (world.size() > 16) return 41; // simulated: one rank after the other computes what it expects
    if (world.size() > 8) return 13;
    return stride == 1 ? 1 : 11;
}

/// All ranks, or of very many a few.
inline std::vector<int> roots(int size) {
    if (size > 16) return {0, 1, size / 2 + 1, size - 1};
    std::vector<int> all(static_cast<std::size_t>(size));
    std::iota(all.begin(), all.end(), 0);
    return all;
}

/// A number that tells who made it, for what and when.
inline std::uint64_t number_of(int rank, std::size_t index, std::uint64_t call) {
    std::uint64_t x = call * 0x9E3779B97F4A7C15U + static_cast<std::uint64_t>(rank) * 0xD1B54A32D192ED03U +
                      index * 0x8CB92BA72F3D8DD7U;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
    return x ^ (x >> 27);
}

/// Elements between two that must not change.
template <class T>
class guarded {
public:
    guarded(std::size_t count, const T& filling) : all_(count + 2, filling), filling_(filling) {}

    std::span<T> elements() { return std::span{all_}.subspan(1, all_.size() - 2); }
    T* data() { return all_.data() + 1; }
    bool is_intact() const { return all_.front() == filling_ && all_.back() == filling_; }
    bool is_untouched() const {
        return std::ranges::all_of(all_, [&](const T& each) { return each == filling_; });
    }

private:
    std::vector<T> all_;
    T filling_;
};

/// Names what went wrong first, so that a loop over thousands of calls is one check.
class complaints {
public:
    void expect(bool is_right, const std::string& what) {
        if (is_right) return;
        ++number_;
        if (first_.empty()) first_ = what;
    }
    /// The first and how many; empty if all was right.
    std::string text() const {
        return number_ == 0 ? std::string{} : first_ + " (and " + std::to_string(number_ - 1) + " more)";
    }

private:
    std::string first_;
    int number_ = 0;
};

} // namespace topo_test
