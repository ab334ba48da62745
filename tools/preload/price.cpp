// SPDX-License-Identifier: BSL-1.0
#include "price.hpp"

namespace topo::preload {

namespace {

/// In nanoseconds: a line through the times of 16 to 1024 ranks in docs/benchmarks_log.md, "Building a
/// hierarchy".
constexpr std::int64_t modelled(int ranks) { return 30'000 + std::int64_t{7'000} * ranks; }

} // namespace

hierarchy_price::duration hierarchy_price::expected(int ranks) const noexcept {
    const std::int64_t built = modelled_.load(std::memory_order_relaxed);
    const double ratio =
        built == 0 ? 1.0
                   : static_cast<double>(took_.load(std::memory_order_relaxed)) / static_cast<double>(built);
    return duration{static_cast<std::int64_t>(ratio * static_cast<double>(modelled(ranks)))};
}

void hierarchy_price::add(int ranks, duration took) noexcept {
    took_.fetch_add(took.count(), std::memory_order_relaxed);
    modelled_.fetch_add(modelled(ranks), std::memory_order_relaxed);
}

} // namespace topo::preload
