// SPDX-License-Identifier: BSL-1.0
/// @file
/// Slurm's `topology.conf`, as its tree plugin reads it.
#pragma once

#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_file.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace topo::detail {

/// The switches of one `topology.conf`, while it is read: a tree, or several switches over the same ones.
class slurm_conf_reader {
public:
    explicit slurm_conf_reader(const std::string& path);

    switch_table table();

private:
    static constexpr std::string_view call = "topo::network::slurm_conf";
    struct network_switch {
        std::string name;
        std::string place;
        std::vector<std::string> nodes;
        std::vector<std::string> children;
        std::vector<std::size_t> parents{};
        std::size_t height = 0; ///< over the leaf switches; with several ways down, the longest
    };

    [[noreturn]] void fail(std::string_view place, std::string_view problem) const;

    void read_line(const text_line& line);

    void link_children(std::size_t parent);

    /// Computes the heights. @throws input_error if a way upwards meets itself
    void measure_heights();

    [[noreturn]] void fail_cycle(std::size_t member) const;

    /// The names of the switches above hosts under these leaf switches, outermost first. Of switches of one
    /// height the names are put together, as Slurm does it: `spine[0-1]`.
    std::vector<std::string> switches_above(const std::vector<std::size_t>& leaves) const;

    std::string path_;
    std::vector<network_switch> switches_;
    std::unordered_map<std::string, std::size_t> indices_;
};

/// Reads a `topology.conf` of Slurm's tree plugin. A host is under the same switches as in
/// `SLURM_TOPOLOGY_ADDR`.
///
/// @throws system_error if it cannot be read, input_error if it is malformed or its switches form a cycle
/// @see https://slurm.schedmd.com/topology.conf.html
switch_table read_slurm_conf(const std::string& path);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/slurm_conf.ipp>
#endif
