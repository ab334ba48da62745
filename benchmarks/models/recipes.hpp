// SPDX-License-Identifier: BSL-1.0
/// @file
/// The algorithms of real_machines.csv, as MPI libraries have them, in terms of topo::model.
#pragma once

#include <topomp/model/exchange_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/memory_costs.hpp>
#include <topomp/model/network_messages.hpp>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace recipes {

/// What the models need to know of a machine. Times are seconds, lengths bytes.
struct machine {
    topo::model::network_messages between; ///< nodes
    topo::model::network_messages inside;  ///< a node
    topo::model::memory_costs memory;
};

/// The times of the algorithms of MPI libraries on so many nodes with equally many ranks.
class libraries {
public:
    libraries(const machine& on, int nodes, int ranks_per_node);

    /// Seconds. Nothing for what has no model: a library's own choice, such as `default_ompi`, and names
    /// that are not known.
    /// @param algorithm as in the file; behind the name of an algorithm may stand whose it is: `ring_over`
    /// @param bytes of the whole buffer, as in the file
    std::optional<double> seconds(const std::string& verb, const std::string& algorithm, double bytes) const;

private:
    using exchanges = topo::model::exchanges<topo::model::network_messages>;
    enum class order { near_first, far_first };
    enum class partners { doubling, bine };
    enum class sending { in_turn, together };
    struct name;

    std::optional<double> of_name(const std::string& verb, const std::string& algorithm, double bytes) const;
    std::optional<double> all_gather(const name& what, double bytes) const;
    std::optional<double> all_reduce(const name& what, double bytes) const;
    std::optional<double> reduce_scatter(const name& what, double bytes) const;
    std::optional<double> broadcast(const name& what, double bytes) const;
    std::optional<double> reduce(const name& what, double bytes) const;
    std::optional<double> gather(const name& what, double bytes) const;
    std::optional<double> scatter(const name& what, double bytes) const;
    std::optional<double> all_to_all(const name& what, double bytes) const;

    long long distance(long long step, partners which) const;
    double messages(double block, order least, partners which) const;
    double whole(double bytes, partners which) const;
    double blocks(double block) const;
    double halving(double bytes, order largest, partners which) const;
    double segmented_halving(double bytes, double segment, partners which) const;
    double looked_through(double times) const;
    double uneven(double before, double behind) const;
    double bruck(double block) const;
    double ring(double block, double combine) const;
    double scattered(double bytes) const;
    topo::model::message_cost between(int a, int b, double bytes) const;
    template <class Children>
    double tree(double bytes, double combine, sending sends, Children children) const;
    double nomial(int radix, double bytes, double combine, sending sends, order first) const;
    double binary(double bytes, double combine) const;

    machine on_;
    std::array<topo::model::level_model<topo::model::network_messages>, 2> levels_;
    exchanges exchange_;
    int ranks_;
};

} // namespace recipes
