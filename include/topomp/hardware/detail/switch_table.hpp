// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which switches each host hangs under, as a file said it.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/switch_tree.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace topo::detail {

/// A host name up to its first dot.
inline std::string short_host_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// Whether two names may mean one host: they are equal, or one has no domain and the rest is equal.
bool is_same_host(const std::string& one, const std::string& other);

/// Hosts and the switches above them.
class switch_table {
public:
    /// Remembers a path of switches, outermost first, and the place in the file that it comes from.
    std::size_t add_path(std::vector<std::string> switches, std::string origin);

    /// Puts a host under a path; @return where the host was put before, if under another path, else empty.
    std::string add_host(const std::string& host, std::size_t path);

    /// The switches above a host, outermost first.
    ///
    /// @throws argument_error if the host is not in the table, or its short name means several of its hosts
    const std::vector<std::string>& switches_of(std::string_view call, const std::string& host,
                                                std::string_view source) const;

    /// Whether each switch above a host, and the host itself, has all hosts that are below the switch before
    /// it. @throws as `switches_of`
    std::vector<bool> filling(std::string_view call, const std::string& host, std::string_view source) const;

private:
    struct switch_path {
        std::vector<std::string> switches;
        std::string origin;
        switch_tree::position innermost;
    };

    const switch_path& known_path_of(std::string_view call, const std::string& host,
                                     std::string_view source) const;

    static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
    static constexpr std::size_t ambiguous = static_cast<std::size_t>(-2);

    std::size_t path_of(const std::string& host) const;

    switch_tree tree_;
    std::vector<switch_path> paths_;
    std::unordered_map<std::string, std::size_t> paths_of_hosts_;
    std::unordered_map<std::string, std::size_t> paths_of_short_names_; // only of hosts written with a domain
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/switch_table.ipp>
#endif
