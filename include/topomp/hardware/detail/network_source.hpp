// SPDX-License-Identifier: BSL-1.0
/// @file
/// The kinds of sources that a `network` can hold.
#pragma once

#include <topomp/hardware/detail/slurm_address.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

inline constexpr std::string_view switches_of_call = "topo::network::switches_of";

/// A source of the switches above a host; shared by all copies of a `network`.
class network_source {
public:
    network_source() = default;
    network_source(const network_source&) = delete;
    network_source& operator=(const network_source&) = delete;
    virtual ~network_source() = default;

    virtual std::vector<std::string> switches_of(const std::string& host) const = 0;
    /// Whether each switch above a host, and the host itself, has all hosts that are below the switch before
    /// it; empty if the source does not contain the other hosts.
    virtual std::vector<bool> filling(const std::string&) const { return {}; }
    virtual std::string_view name() const noexcept = 0;
};

class slurm_environment_source final : public network_source {
public:
    std::vector<std::string> switches_of(const std::string&) const override { return read_slurm_address(); }
    std::string_view name() const noexcept override { return slurm_address_variable; }
};

} // namespace topo::detail
