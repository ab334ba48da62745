// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/hardware/detail/slurm_conf_line.hpp>
#include <topomp/hardware/detail/text_problem.hpp>
#include <topomp/hardware/hostlist.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

[[gnu::cold]] TOPOMP_INLINE slurm_conf_line::slurm_conf_line(std::string_view text) : text_(text) {
    while (skip_blanks())
        read_field();
    if (!values_[name]) throw text_problem{first_, "a line without SwitchName"};
    if (!values_[node_list] && !values_[switch_list])
        throw text_problem{values_[name]->offset,
                           "neither Nodes nor Switches for " + in_quotes(switch_name())};
    if (values_[node_list] && values_[switch_list])
        throw text_problem{values_[name]->offset, "both Nodes and Switches for " + in_quotes(switch_name())};
}

[[gnu::cold]] TOPOMP_INLINE bool slurm_conf_line::skip_blanks() noexcept {
    while (at_ < text_.size() && is_blank(text_[at_]))
        ++at_;
    return at_ < text_.size();
}

[[gnu::cold]] TOPOMP_INLINE void slurm_conf_line::read_field() {
    const std::size_t start = at_;
    if (first_ == nowhere) first_ = start;
    while (at_ < text_.size() && text_[at_] != '=' && !is_blank(text_[at_]))
        ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (!skip_blanks() || text_[at_] != '=')
        throw text_problem{start, "expected KEY=VALUE, found " + in_quotes(word)};
    const key found = key_of(word, start);
    if (values_[found]) throw text_problem{start, std::string{spellings[found]} + " twice in one line"};
    ++at_;
    values_[found] = read_value(found);
    if (found == name && values_[name]->text.find_first_of("[],") != std::string_view::npos)
        throw text_problem{values_[name]->offset, "SwitchName takes one name, not a list"};
}

[[gnu::cold]] TOPOMP_INLINE slurm_conf_line::value slurm_conf_line::read_value(key of) {
    if (!skip_blanks()) throw text_problem{at_ - 1, "no value for " + std::string{spellings[of]}};
    const bool is_in_quotes = text_[at_] == '"';
    const std::size_t start = is_in_quotes ? at_ + 1 : at_;
    std::size_t end = start;
    if (is_in_quotes)
        end = text_.find('"', start);
    else
        while (end < text_.size() && !is_blank(text_[end]))
            ++end;
    if (end == std::string_view::npos) throw text_problem{at_, "a quote that is never closed"};
    at_ = is_in_quotes ? end + 1 : end;
    if (end == start) throw text_problem{start, "no value for " + std::string{spellings[of]}};
    return {text_.substr(start, end - start), start};
}

[[gnu::cold]] TOPOMP_INLINE slurm_conf_line::key slurm_conf_line::key_of(std::string_view word,
                                                                         std::size_t start) {
    for (std::size_t index = 0; index < key_count; ++index)
        if (is_equal_in_any_case(word, spellings[index])) return static_cast<key>(index);
    throw text_problem{start, "unknown key " + in_quotes(word) +
                                  "; a tree of switches has SwitchName, Nodes, Switches and LinkSpeed"};
}

[[gnu::cold]] TOPOMP_INLINE bool slurm_conf_line::is_equal_in_any_case(std::string_view one,
                                                                       std::string_view other) noexcept {
    if (one.size() != other.size()) return false;
    for (std::size_t index = 0; index < one.size(); ++index)
        if (lower(one[index]) != lower(other[index])) return false;
    return true;
}

[[gnu::cold]] TOPOMP_INLINE std::vector<std::string> slurm_conf_line::names_in(key list) const {
    if (!values_[list]) return {};
    return read_hostlist(values_[list]->text, values_[list]->offset);
}

} // namespace topo::detail
