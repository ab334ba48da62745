// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/network_files.hpp>
#include <topomp/hardware/detail/slurm_conf.hpp>
#include <topomp/hardware/detail/switch_file.hpp>
#include <topomp/hardware/network.hpp>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace topo {

[[gnu::cold]] TOPOMP_INLINE network network::slurm_conf(const std::string& path) {
    return network{std::make_shared<detail::file_source>(path, &detail::read_slurm_conf)};
}

[[gnu::cold]] TOPOMP_INLINE network network::file(const std::string& path) {
    return network{std::make_shared<detail::file_source>(path, &detail::read_switch_file)};
}

[[gnu::cold]] TOPOMP_INLINE network
network::callback(std::function<std::vector<std::string>(const std::string& host)> function) {
    return network{std::make_shared<detail::callback_source>(std::move(function))};
}

} // namespace topo
