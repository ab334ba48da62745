// SPDX-License-Identifier: BSL-1.0
/// @file
/// One line of Slurm's `topology.conf`.
#pragma once

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
    explicit slurm_conf_line(std::string_view text);

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
    bool skip_blanks() noexcept;

    void read_field();

    value read_value(key of);

    static key key_of(std::string_view word, std::size_t start);

    static bool is_equal_in_any_case(std::string_view one, std::string_view other) noexcept;

    static constexpr char lower(char byte) noexcept {
        return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte;
    }

    std::vector<std::string> names_in(key list) const;

    static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

    std::string_view text_;
    std::size_t at_ = 0;
    std::size_t first_ = nowhere;
    std::array<std::optional<value>, key_count> values_{};
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/slurm_conf_line.ipp>
#endif
