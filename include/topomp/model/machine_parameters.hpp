// SPDX-License-Identifier: BSL-1.0
/// @file
/// The parameters of a machine as `topomp measure` finds them, and their text format.
#pragma once

#include <topomp/core/error.hpp>
#include <topomp/hardware/kind.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/measured_messages.hpp>
#include <topomp/model/plogp.hpp>

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

namespace topo::model {

/// What was measured on a machine. Times are seconds, rates bytes a second.
struct machine_parameters {
    /// Of the messages at one level.
    struct level {
        kind inside = kind::cluster; ///< what contains the members, as in `on<kind, ...>`
        int members = 1;             ///< groups or ranks among which data moves there
        double flag_latency = 0;     ///< from a store of one to the load of another; 0: not measured
        measured_messages messages;  ///< between two members
        double outside_rate =
            0; ///< the total rate of all ranks of a member to all other ranks; 0: not measured
        /// How far the samples of messages of a length spread: the distance of the quartiles over the median.
        struct spread {
            double bytes = 0;            ///< the length
            double send_overhead = 0;    ///< of the time that the sender is busy
            double receive_overhead = 0; ///< of the time that the receiver is busy
            double gap = 0;              ///< of the time between two messages
            double time = 0;             ///< of the time on the way
            friend bool operator==(const spread&, const spread&) = default;
        };
        std::vector<spread> spreads{}; ///< empty: not known

        friend bool operator==(const level&, const level&) = default;
    };
    /// How fast one rank copies so many bytes.
    struct copy {
        double bytes = 0;            ///< of one `memcpy`
        double bytes_per_second = 0; ///< that it reached
        friend bool operator==(const copy&, const copy&) = default;
    };

    std::vector<std::pair<std::string, std::string>> notes; ///< when, where and with what it was measured
    std::vector<level> levels;                              ///< outermost first
    std::vector<copy> copies;                               ///< `memcpy` by one rank; empty: not measured

    /// For `exchanges` and `costs_of`.
    std::vector<level_model<measured_messages>> models() const;

    /// Writes them, a line each: a keyword, then values.
    void write(std::ostream& out) const;

    /// @throws system_error if the file cannot be read, input_error naming the line that is malformed
    static machine_parameters read(const std::string& file);
    /// The same from the text of a file. @param name of the file, for exceptions
    static machine_parameters read_text(const std::string& name, const std::string& text);

    friend bool operator==(const machine_parameters&, const machine_parameters&) = default;
};

} // namespace topo::model

#ifndef TOPOMP_COMPILED
#include <topomp/model/impl/machine_parameters.ipp>
#endif
