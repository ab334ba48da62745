// SPDX-License-Identifier: BSL-1.0
/// @file
/// The text of a policy as a tree of names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// `name<argument, ...>`; a number is a name without arguments.
struct policy_node {
    std::string_view name;
    std::size_t column = 1; ///< where the name begins
    std::vector<policy_node> arguments{};
    bool has_arguments = false; ///< whether there are angle brackets
};

/// Reads names, angle brackets and commas; without interpreting the names. Refers to the text.
class policy_tree {
public:
    /// @throws argument_error by `call` and `where`, with the column, for what is no such text
    policy_tree(std::string_view call, std::string where, std::string_view text);

    const policy_node& root() const noexcept { return root_; }

private:
    policy_node read_node();
    std::string_view read_name();
    void skip_spaces();
    bool take(char c);
    [[noreturn]] void refuse(const std::string& problem) const;

    std::string_view call_;
    std::string where_;
    std::string_view text_;
    std::size_t at_ = 0;
    policy_node root_;
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/plan/impl/policy_tree.ipp>
#endif
