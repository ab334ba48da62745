// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/network_source.hpp>
#include <topomp/hardware/detail/network_value.hpp>
#include <topomp/hardware/place.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE network network::slurm_environment() {
    return network{std::make_shared<detail::slurm_environment_source>()};
}

[[gnu::cold]] TOPOMP_INLINE std::string_view network::source() const noexcept {
    return source_ ? source_->name() : std::string_view{"none"};
}

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string> network::switches_of(const std::string& host) const {
    return source_ ? source_->switches_of(host) : std::vector<std::string>{};
}

[[gnu::cold]] TOPOMP_INLINE std::vector<hardware_object> network::path_to(const std::string& host) const {
    std::vector<hardware_object> path;
    for (auto& name : switches_of(host))
        path.push_back({kind::network_switch, 0, std::move(name)});
    path.push_back({kind::machine, 0, host});
    const auto filling = source_ ? source_->filling(host) : std::vector<bool>{};
    for (std::size_t i = 0; i < filling.size(); ++i)
        path[i].fills_outer = filling[i];
    return path;
}

} // namespace topo
