// SPDX-License-Identifier: BSL-1.0
/// @file
/// The cost of a message: the numbers to which every model reduces.
#pragma once

#include <concepts>

namespace topo::model {

/// What a message of one length costs.
struct message_cost {
    double gap = 0;  ///< seconds from the start of a message to that of the sender's next
    double time = 0; ///< seconds from the start of a message until its receiver has all of it
    double busy = 0; ///< seconds that it takes of its sender's and of its receiver's processor, in sum

    /// Seconds of the sender's processor, after which it can start a message over the links of another level;
    /// negative: all of the gap.
    double held = -1;

    /// How often the memory of a node takes its bytes, if it stays in one: twice if the receiver copies it
    /// out of the MPI's buffers.
    double passes = 1;

    friend bool operator==(const message_cost&, const message_cost&) = default;
};

/// A message whose receiver combines it with its own data. `combine`: seconds that takes
constexpr message_cost combined(const message_cost& message, double combine) {
    return {message.gap + combine, message.time + combine, message.busy + combine,
            message.held < 0 ? message.held : message.held + combine, message.passes};
}

/// A model of messages: `cost(bytes, flows)` of one among `flows` of the same length that leave the same
/// group of ranks at a time, such as a node. Models without a limit for the group look at `bytes` only.
template <class Model>
concept message_model = requires(const Model& model, double bytes, int flows) {
    { model.cost(bytes, flows) } -> std::same_as<message_cost>;
};

} // namespace topo::model
