// SPDX-License-Identifier: BSL-1.0
/// @file
/// Where the names of the switches above a host come from, without what reads files.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/place.hpp>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo {

namespace detail {
class network_source;
}

/// Where the names of the switches above a host come from: a value, cheap to copy.
///
///     switches_of("n3") == {"spine", "leaf1"}
///
///     spine                  outermost first
///       leaf0
///         n0 n1
///       leaf1
///         n2 n3
///
/// Two hosts are under one switch if their paths down to it are equal, so a name may come back under another
/// parent. Making a network reads nothing. A file is read whole at the first query, once for all copies, so
/// only processes with a query read it; a relative path is resolved against the directory at that time.
/// Queries are thread-safe if a callback is.
///
/// A program that uses headers only includes topomp/hardware/network.hpp for `slurm_conf`, `file` and
/// `callback`.
/// @see paper 1 section 4.2
class network {
public:
    /// No host has a switch.
    static network none() noexcept { return network{}; }

    /// Slurm's `SLURM_TOPOLOGY_ADDR` and `SLURM_TOPOLOGY_ADDR_PATTERN`, as they are at the time of a query.
    ///
    /// They describe the host of the calling process, whichever host a query names.
    static network slurm_environment();

    /// A Slurm `topology.conf` for the tree plugin.
    static network slurm_conf(const std::string& path);

    /// A plain file of lines `host: switches`, outermost first; hosts may be hostlist expressions, `#` starts
    /// a comment.
    static network file(const std::string& path);

    /// A function from a host to its switches, outermost first; what it throws passes through.
    ///
    /// @throws argument_error if the function is empty
    static network callback(std::function<std::vector<std::string>(const std::string& host)> function);

    /// The names of the switches above a host, outermost first.
    ///
    /// A host matches by its full name or else, if one of the two names has no domain, by the name up to the
    /// first dot.
    ///
    /// @param host the name of a host as the source spells it, with or without its domain
    /// @return the path; empty if no switch is known: from `none`, where Slurm's variables are not set, or as
    /// the source says
    /// @throws argument_error if the source does not contain the host, input_error if the source is
    /// malformed, system_error if a file cannot be read
    std::vector<std::string> switches_of(const std::string& host) const;

    /// The same switches and then the host, as the beginning of a place. Only files give the information
    /// which of them have the same hosts below. @throws as `switches_of`
    std::vector<hardware_object> path_to(const std::string& host) const;

    /// The source for messages: `none`, `SLURM_TOPOLOGY_ADDR`, a path or `callback`; valid as long as this or
    /// a copy.
    std::string_view source() const noexcept;

private:
    network() = default;
    explicit network(std::shared_ptr<const detail::network_source> source) : source_(std::move(source)) {}

    std::shared_ptr<const detail::network_source> source_; // null: none
};

} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/network_value.ipp>
#endif
