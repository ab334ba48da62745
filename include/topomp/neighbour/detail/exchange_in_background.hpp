// SPDX-License-Identifier: BSL-1.0
/// @file
/// An exchange with neighbours that does not wait.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/collective/detail/prepared.hpp>
#include <topomp/core/detail/inline.hpp>
#include <topomp/core/message.hpp>
#include <topomp/neighbour/detail/node_exchange.hpp>
#include <topomp/neighbour/detail/node_groups.hpp>
#include <topomp/neighbour/detail/node_routes.hpp>
#include <topomp/neighbour/detail/shared_links.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace topo::detail {

/// An exchange that can be started again when it is complete.
class started_exchange : public operation {
public:
    /// Posts what can be posted. In the same order on all ranks, unless it has tags of its own
    /// @throws usage_error if an exchange of the groups has failed
    void start();

    /// From now on exchanges of its groups are refused, unless this one is complete.
    TOPOMP_INLINE void note_failure() noexcept override;

    /// From now on with tags that no other exchange under way has.
    void use_tags(const exchange_tags& own) noexcept { own_tags_ = own; }

protected:
    /// All of it must last until it is complete.
    started_exchange(const char* call, node_groups& groups, const links& all)
        : call_(call), groups_(groups), links_(all) {}

    virtual void post(const exchange_tags& tags) = 0;
    virtual void leave_memory() noexcept {}

    /// @return true @throws argument_error if there is a problem
    bool end(const std::string& problem);

    const char* call_;
    node_groups& groups_;
    const links& links_;

private:
    /// Of a start.
    exchange_tags next_tags();
    void let_go() noexcept override {
        note_failure();
        release_kept();
    }

    bool is_under_way_ = false;
    std::optional<exchange_tags> own_tags_;
};

/// The steps of `node_exchange`, each as soon as what it needs has arrived.
class exchange_in_background final : public started_exchange {
public:
    /// All of it must last until it is complete, but for the lists of blocks.
    exchange_in_background(const char* call, node_groups& groups, const links& all, const node_routes& routes,
                           std::vector<message> out, std::vector<message> in, std::size_t direct_from,
                           bool is_same);

private:
    TOPOMP_INLINE void post(const exchange_tags& tags) override;

    /// What the ranks of a list send in one of the three steps.
    struct arrivals {
        struct one {
            std::vector<std::byte> bytes;
            std::size_t slot = 0;
            bool has_rest = false;
        };
        std::vector<int> from;
        std::vector<one> messages;
        int tag = 0;
    };

    void expect(arrivals& what, std::vector<int> from, int tag);
    /// Whether all messages of a step are here; posts the receives of what follows a beginning.
    bool have_come(arrivals& what);
    template <class F>
    void for_each_record(arrivals& what, F f);
    void take_step();

    TOPOMP_INLINE bool advance() override;

    const node_routes& routes_;
    std::vector<message> out_, in_;
    std::size_t direct_from_;
    bool is_same_;
    std::optional<node_exchange> work_;
    std::vector<int> carriers_; ///< of the nodes from which this rank receives
    arrivals from_node_, from_carriers_, from_own_carriers_;
    int step_ = 0, tag_ = 0;
};

/// An exchange through the memory of nodes. Goes on when it looks there, and when others that use the same
/// places before it have ended.
class exchange_in_memory final : public started_exchange {
public:
    /// All of it must last until it is complete, but for the lists of blocks.
    /// @param is_equal whether all blocks of all ranks have one length
    exchange_in_memory(const char* call, node_groups& groups, const links& all,
                       std::shared_ptr<shared_links> memory, std::vector<message> out,
                       std::vector<message> in, bool is_same, bool is_equal);

private:
    TOPOMP_INLINE void post(const exchange_tags& tags) override;
    void leave_memory() noexcept override {
        if (step_ == step::end) return;
        memory_->note_failure();
        lends_memory_ = true; // others write there what they owe it
    }
    TOPOMP_INLINE bool advance() override;
    TOPOMP_INLINE void await() override;
    void end_in_memory();

    std::shared_ptr<shared_links> memory_;
    std::vector<message> out_, in_;
    bool is_same_;
    std::size_t direct_from_;
    shared_links::parts parts_;
    std::uint64_t place_ = 0; ///< in the queue for the memory
    int tag_ = 0;
    std::string problem_; ///< a block that had another length; empty: none
    enum class step { queued, under_way, end } step_ = step::end; ///< in memory
};

/// An exchange, the operations with which it goes on, and what keeps both.
struct prepared_exchange {
    std::unique_ptr<started_exchange> operation;
    in_flight* among = nullptr;
    std::shared_ptr<const void> alive;
};

/// What the non-blocking and persistent forms do with a neighbourhood.
struct neighbours_in_background {
    /// In a checked build compares the lengths of the ends of all links. @collective over the communicator
    /// then @param is_equal whether all blocks of all ranks have one length
    static void check(const neighbourhood& where, const char* call, std::span<const message> out,
                      std::span<const message> in, bool is_equal);

    /// Local, unless it is kept. @param is_equal as above
    /// @param is_kept whether it will be started many times: then it has places in the memory of nodes
    static prepared_exchange prepare(const neighbourhood& where, const char* call,
                                     std::span<const message> out, std::span<const message> in, bool is_same,
                                     bool is_equal, bool is_kept);

    /// In a checked build each start is compared among the ranks of the communicator, while what was started
    /// goes on.
    static void compare_starts(ranks_of_start& starts, const neighbourhood& where);
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/neighbour/impl/exchange_in_background.ipp>
#endif
