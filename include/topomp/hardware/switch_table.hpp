// SPDX-License-Identifier: BSL-1.0
/// @file
/// Which switches each host hangs under, as a file said it.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/switch_tree.hpp>
#include <topomp/hardware/text_problem.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace topo::detail {

/// A host name up to its first dot.
inline std::string short_host_name(const std::string& host) { return host.substr(0, host.find('.')); }

/// Whether two names may mean one host: they are equal, or one has no domain and the rest is equal.
inline bool is_same_host(const std::string& one, const std::string& other) {
    return one == other || short_host_name(one) == other || one == short_host_name(other);
}

/// Hosts and the switches above them.
class switch_table {
public:
    /// Remembers a path of switches, outermost first, and the place in the file that it comes from.
    std::size_t add_path(std::vector<std::string> switches, std::string origin) {
        const auto innermost = tree_.at(switches);
        paths_.push_back({std::move(switches), std::move(origin), innermost});
        return paths_.size() - 1;
    }

    /// Puts a host under a path; @return where the host was put before, if under another path, else empty.
    std::string add_host(const std::string& host, std::size_t path) {
        const auto [found, is_new] = paths_of_hosts_.try_emplace(host, path);
        if (!is_new) return found->second == path ? std::string{} : paths_[found->second].origin;
        tree_.add_node(paths_[path].innermost);
        const std::string short_name = short_host_name(host);
        if (short_name == host) return {};
        const auto [first, is_first] = paths_of_short_names_.try_emplace(short_name, path);
        if (!is_first && paths_[first->second].switches != paths_[path].switches) first->second = ambiguous;
        return {};
    }

    /// The switches above a host, outermost first.
    ///
    /// @throws argument_error if the host is not in the table, or its short name means several of its hosts
    const std::vector<std::string>& switches_of(std::string_view call, const std::string& host,
                                                std::string_view source) const {
        return known_path_of(call, host, source).switches;
    }

    /// Whether each switch above a host, and the host itself, has all hosts that are below the switch before
    /// it. @throws as `switches_of`
    std::vector<bool> filling(std::string_view call, const std::string& host, std::string_view source) const {
        return tree_.filling(known_path_of(call, host, source).innermost);
    }

private:
    struct switch_path {
        std::vector<std::string> switches;
        std::string origin;
        switch_tree::position innermost;
    };

    const switch_path& known_path_of(std::string_view call, const std::string& host,
                                     std::string_view source) const {
        const std::size_t path = path_of(host);
        if (path == unknown)
            throw argument_error(call, "host " + in_quotes(host), "not in " + std::string{source});
        if (path == ambiguous)
            throw argument_error(call, "host " + in_quotes(host),
                                 "means hosts under different switches in " + std::string{source});
        return paths_[path];
    }

    static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
    static constexpr std::size_t ambiguous = static_cast<std::size_t>(-2);

    std::size_t path_of(const std::string& host) const {
        const auto full = paths_of_hosts_.find(host);
        if (full != paths_of_hosts_.end()) return full->second;
        const std::string short_name = short_host_name(host);
        const auto& names = short_name == host ? paths_of_short_names_ : paths_of_hosts_;
        const auto found = names.find(short_name);
        return found == names.end() ? unknown : found->second;
    }

    switch_tree tree_;
    std::vector<switch_path> paths_;
    std::unordered_map<std::string, std::size_t> paths_of_hosts_;
    std::unordered_map<std::string, std::size_t> paths_of_short_names_; // only of hosts written with a domain
};

} // namespace topo::detail
