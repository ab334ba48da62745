// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/hardware/detail/switch_table.hpp>
#include <topomp/hardware/detail/text_problem.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE bool is_same_host(const std::string& one, const std::string& other) {
    return one == other || short_host_name(one) == other || one == short_host_name(other);
}

[[gnu::cold]] TOPOMP_INLINE std::size_t switch_table::add_path(std::vector<std::string> switches,
                                                               std::string origin) {
    const auto innermost = tree_.at(switches);
    paths_.push_back({std::move(switches), std::move(origin), innermost});
    return paths_.size() - 1;
}

[[gnu::cold]] TOPOMP_INLINE std::string switch_table::add_host(const std::string& host, std::size_t path) {
    const auto [found, is_new] = paths_of_hosts_.try_emplace(host, path);
    if (!is_new) return found->second == path ? std::string{} : paths_[found->second].origin;
    tree_.add_node(paths_[path].innermost);
    const std::string short_name = short_host_name(host);
    if (short_name == host) return {};
    const auto [first, is_first] = paths_of_short_names_.try_emplace(short_name, path);
    if (!is_first && first->second != ambiguous && paths_[first->second].switches != paths_[path].switches)
        first->second = ambiguous;
    return {};
}

[[gnu::cold]] TOPOMP_INLINE const std::vector<std::string>&
switch_table::switches_of(std::string_view call, const std::string& host, std::string_view source) const {
    return known_path_of(call, host, source).switches;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<bool>
switch_table::filling(std::string_view call, const std::string& host, std::string_view source) const {
    return tree_.filling(known_path_of(call, host, source).innermost);
}

[[gnu::cold]] TOPOMP_INLINE const switch_table::switch_path&
switch_table::known_path_of(std::string_view call, const std::string& host, std::string_view source) const {
    const std::size_t path = path_of(host);
    if (path == unknown)
        throw argument_error(call, "host " + in_quotes(host), "not in " + std::string{source});
    if (path == ambiguous)
        throw argument_error(call, "host " + in_quotes(host),
                             "means hosts under different switches in " + std::string{source});
    return paths_[path];
}

[[gnu::cold]] TOPOMP_INLINE std::size_t switch_table::path_of(const std::string& host) const {
    const auto full = paths_of_hosts_.find(host);
    if (full != paths_of_hosts_.end()) return full->second;
    const std::string short_name = short_host_name(host);
    const auto& names = short_name == host ? paths_of_short_names_ : paths_of_hosts_;
    const auto found = names.find(short_name);
    return found == names.end() ? unknown : found->second;
}

} // namespace topo::detail
