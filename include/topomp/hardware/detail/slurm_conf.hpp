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

/// The tree of switches of one `topology.conf`, while it is read.
class slurm_conf_reader {
public:
    explicit slurm_conf_reader(const std::string& path);

    switch_table table();

private:
    static constexpr std::string_view call = "topo::network::slurm_conf";
    static constexpr std::size_t nobody = static_cast<std::size_t>(-1);

    struct network_switch {
        std::string name;
        std::string place;
        std::vector<std::string> nodes;
        std::vector<std::string> children;
        std::size_t parent = nobody;
    };

    [[noreturn]] void fail(std::string_view place, std::string_view problem) const;

    void read_line(const text_line& line);

    void link_children(std::size_t parent);

    /// Every switch has one parent at most, so a cycle is a walk upwards that meets itself.
    void check_no_cycle() const;

    [[noreturn]] void fail_cycle(std::size_t member) const;

    void add_nodes(switch_table& result, const network_switch& leaf) const;

    std::string path_;
    std::vector<network_switch> switches_;
    std::unordered_map<std::string, std::size_t> indices_;
};

/// Reads a `topology.conf` of Slurm's tree plugin.
///
/// @throws system_error if it cannot be read, input_error if it is malformed or describes no forest of
/// switches
/// @see https://slurm.schedmd.com/topology.conf.html
switch_table read_slurm_conf(const std::string& path);

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/slurm_conf.ipp>
#endif
