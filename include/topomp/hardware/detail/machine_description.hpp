// SPDX-License-Identifier: BSL-1.0
/// @file
/// The reader behind `machine::parse`.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/machine.hpp>

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace topo::detail {

/// Recursive descent over `block := alternative (';' alternative)*`,
/// `alternative := ('switch' ':' N)* ( '(' block ')' | ['node' ':' N] inside* )`.
class machine_description {
public:
    explicit machine_description(std::string_view text) : text_(text) {}

    std::vector<machine::node> read();

private:
    /// `switches` counts nested switch levels above either nodes of one kind or another block.
    struct alternative {
        std::vector<int> switches;
        int node_count = 1;
        std::shared_ptr<const topology> hardware; ///< null: see `inner`
        std::vector<alternative> inner;
    };
    using block = std::vector<alternative>;

    struct item {
        std::size_t column = 0;
        std::string kind;
        int count = 1;
        std::string attributes; ///< `(...)` right behind a count, or a whole `[...]`; hwloc's own
    };

    // Beyond these a slip of the finger costs minutes or all memory: hwloc's time grows with the cube of the
    // objects side by side, and the names of switches with the square of their depth.
    static constexpr int most_nodes = 1 << 22;
    static constexpr int most_cpus = 1 << 12;
    static constexpr std::size_t most_switch_levels = 16;

    [[noreturn]] void fail(std::size_t position, std::string_view problem) const;

    void skip_space();
    char peek();
    bool take(char wanted);

    block read_block(std::size_t switches_above);

    alternative read_alternative(std::size_t switches_above);

    /// hwloc refuses most of this too, but cannot say where. Memory in brackets has no kind.
    void check_repetition(const item& next, const std::vector<std::string>& kinds) const;

    item read_item();

    std::string read_bracketed(char open, char close);

    /// hwloc's name of what a word means; "switch" and "node" stay as they are. hwloc itself would read
    /// "node" as a NUMA node, which is why no word reaches it untranslated.
    std::string canonical(std::size_t column, const std::string& word) const;

    std::shared_ptr<const topology> load(std::size_t column, const std::string& inside);

    /// How many nodes a block stands for; anything beyond `most_nodes` is all the same.
    static long count_nodes(const block& from);

    void build(const block& from, const std::vector<std::string>& above);

    void build(const alternative& choice, std::size_t depth, const std::vector<std::string>& above,
               int& number);

    std::string_view text_;
    std::size_t at_ = 0;
    std::map<std::string, std::shared_ptr<const topology>> loaded_;
    std::vector<machine::node> nodes_;
};

} // namespace topo::detail

namespace topo {} // namespace topo

#ifndef TOPOMP_COMPILED
#include <topomp/hardware/impl/machine_description.ipp>
#endif
