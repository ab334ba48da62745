// SPDX-License-Identifier: BSL-1.0
/// @file
/// One line of Slurm's `topology.conf`.
#pragma once

#include <topomp/hardware/hostlist.hpp>
#include <topomp/hardware/text_problem.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// `SwitchName=s0 Nodes=dev[0-5] LinkSpeed=100`: fields in any order, keys in any case, values bare or in
/// double quotes.
///
/// Reading throws `text_problem`. The line must outlive this object.
class slurm_conf_line {
public:
    explicit slurm_conf_line(std::string_view text) : text_(text) {
        while (skip_blanks())
            read_field();
        if (!values_[name]) throw text_problem{first_, "a line without SwitchName"};
        if (!values_[node_list] && !values_[switch_list])
            throw text_problem{values_[name]->offset,
                               "neither Nodes nor Switches for " + in_quotes(switch_name())};
        if (values_[node_list] && values_[switch_list])
            throw text_problem{values_[name]->offset,
                               "both Nodes and Switches for " + in_quotes(switch_name())};
    }

    std::string switch_name() const { return std::string{values_[name]->text}; }
    std::size_t switch_name_offset() const noexcept { return values_[name]->offset; }
    std::vector<std::string> nodes() const { return names_in(node_list); }
    std::vector<std::string> switches() const { return names_in(switch_list); }

private:
    enum key : std::size_t { name, node_list, switch_list, link_speed, key_count };

    struct value {
        std::string_view text;
        std::size_t offset;
    };

    static constexpr std::array<std::string_view, key_count> spellings{"SwitchName", "Nodes", "Switches",
                                                                       "LinkSpeed"};

    /// Moves on to the next word; @return whether there is one.
    bool skip_blanks() noexcept {
        while (at_ < text_.size() && is_blank(text_[at_]))
            ++at_;
        return at_ < text_.size();
    }

    void read_field() {
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

    value read_value(key of) {
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

    static key key_of(std::string_view word, std::size_t start) {
        for (std::size_t index = 0; index < key_count; ++index)
            if (is_equal_in_any_case(word, spellings[index])) return static_cast<key>(index);
        throw text_problem{start, "unknown key " + in_quotes(word) +
                                      "; a tree of switches has SwitchName, Nodes, Switches and LinkSpeed"};
    }

    static bool is_equal_in_any_case(std::string_view one, std::string_view other) noexcept {
        if (one.size() != other.size()) return false;
        for (std::size_t index = 0; index < one.size(); ++index)
            if (lower(one[index]) != lower(other[index])) return false;
        return true;
    }

    static constexpr char lower(char byte) noexcept {
        return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    }

    std::vector<std::string> names_in(key list) const {
        if (!values_[list]) return {};
        return read_hostlist(values_[list]->text, values_[list]->offset);
    }

    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t first_ = nowhere;
    std::array<std::optional<value>, key_count> values_{};
};

} // namespace topo::detail
