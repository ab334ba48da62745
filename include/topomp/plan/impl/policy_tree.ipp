// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/core/detail/inline.hpp>
#include <topomp/core/error.hpp>
#include <topomp/plan/detail/policy_tree.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace topo::detail {

TOPOMP_INLINE policy_tree::policy_tree(std::string_view call, std::string where, std::string_view text)
    : call_(call), where_(std::move(where)), text_(text) {
    root_ = read_node();
    skip_spaces();
    if (at_ < text_.size()) refuse("nothing may stand behind the policy");
}

TOPOMP_INLINE policy_node policy_tree::read_node() {
    policy_node made;
    skip_spaces();
    made.column = at_ + 1;
    made.name = read_name();
    while (take(':')) { // a namespace, or the type of an enumerator
        if (at_ == text_.size() || text_[at_] != ':') refuse("a second ':' is missing");
        ++at_;
        made.column = at_ + 1;
        made.name = read_name();
    }
    made.has_arguments = take('<');
    if (!made.has_arguments || take('>')) return made;
    do {
        made.arguments.push_back(read_node());
    } while (take(','));
    if (!take('>')) refuse("a ',' or '>' is missing");
    return made;
}

TOPOMP_INLINE std::string_view policy_tree::read_name() {
    const std::size_t from = at_;
    const auto belongs = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    };
    while (at_ < text_.size() && belongs(text_[at_]))
        ++at_;
    if (from == at_) refuse("a name is missing");
    return text_.substr(from, at_ - from);
}

TOPOMP_INLINE void policy_tree::skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ')
        ++at_;
}

TOPOMP_INLINE bool policy_tree::take(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
}

TOPOMP_INLINE void policy_tree::refuse(const std::string& problem) const {
    throw argument_error(call_, where_, "column " + std::to_string(at_ + 1) + ": " + problem);
}

} // namespace topo::detail
