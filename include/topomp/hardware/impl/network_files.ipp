// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/network_files.hpp>
#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_problem.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE file_source::file_source(std::string name, reader read)
    : name_(std::move(name)), read_(read) {}

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string> file_source::switches_of(const std::string& host) const {
    return table().switches_of(switches_of_call, host, name_);
}

[[gnu::cold]] TOPOMP_INLINE std::vector<bool> file_source::filling(const std::string& host) const {
    return table().filling(switches_of_call, host, name_);
}

[[gnu::cold]] TOPOMP_INLINE const switch_table& file_source::table() const {
    const std::lock_guard<std::mutex> lock{mutex_};
    if (!table_) table_ = std::make_unique<const switch_table>(read_(name_));
    return *table_;
}

[[gnu::cold]] TOPOMP_INLINE callback_source::callback_source(function callback)
    : callback_(std::move(callback)) {
    if (!callback_) throw argument_error("topo::network::callback", "callback", "an empty std::function");
}

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string>
callback_source::switches_of(const std::string& host) const {
    std::vector<std::string> switches = callback_(host);
    for (std::size_t depth = 0; depth < switches.size(); ++depth)
        if (switches[depth].empty())
            throw input_error(switches_of_call, "callback for host " + in_quotes(host),
                              "an empty name for switch " + std::to_string(depth));
    return switches;
}

} // namespace topo::detail
