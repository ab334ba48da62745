// SPDX-License-Identifier: BSL-1.0
/// @file
/// Long blocks of test data, written in little time also where nothing is optimised.
#pragma once

#include <cstddef>
#include <numeric>
#include <vector>

namespace topo_test {

/// Appends `count` numbers: `first`, `first` + 1, ... Through pointers: by push_back, tests of long blocks
/// took twice as long with the sanitizers.
template <class T>
void append_numbers(std::vector<T>& to, std::size_t count, T first) {
    const std::size_t before = to.size();
    to.resize(before + count);
    std::iota(to.data() + before, to.data() + to.size(), first);
}

} // namespace topo_test
