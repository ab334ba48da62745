// SPDX-License-Identifier: BSL-1.0
/// @file
/// Persistent operations that begin in the memory of a node.
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/core/message.hpp>

#include <optional>

namespace topo::detail {

/// An operation of a node's ranks whose start waits for no other rank: each rank puts its operands into
/// memory that is the operation's own.
class posted_operation : public operation {
public:
    /// Local
    virtual void start() = 0;

    /// The part of the result for which the calling rank exchanges the sum of its node with other nodes, in
    /// place, once the operation is complete. Then it hands the part out, and the operation goes on until it
    /// is complete again. Nothing: others hand out what this rank takes, or the operation itself exchanges.
    virtual std::optional<message> own_part() const { return {}; }
    /// @pre there is an own part. Local
    virtual void hand_out() {}

protected:
    posted_operation() { looks_at_memory_ = true; }
};

} // namespace topo::detail
