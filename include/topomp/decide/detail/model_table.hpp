// SPDX-License-Identifier: BSL-1.0
/// @file
/// The table of models: a row for each verb and algorithm whose time is modelled.
///
/// What moves data through the memory of nodes, and the MPI's own collectives, are modelled from these in
/// machine_costs.ipp.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/predicted.hpp>
#include <topomp/model/exchange_time.hpp>
#include <topomp/model/level_cost.hpp>
#include <topomp/model/rounds_time.hpp>
#include <topomp/plan/detail/algorithm.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace topo::detail {

/// A call on a machine of groups: what a row of the table computes from.
template <model::message_model Model>
struct modelled_call {
    const modelled_machine<Model>& machine;
    const plan& chosen;
    const call_key& now; ///< `bytes` as there

    double bytes() const { return static_cast<double>(now.bytes); }
    /// Of each rank's result, where these are parts of one message.
    double block() const { return bytes() / now.ranks; }
    double combine() const { return combines(now.what) ? machine.combine_per_byte : 0; }
    /// Seconds for a byte of an operand that comes along a tree.
    double combine_in_tree() const { return combines(now.what) ? combine() + machine.receive_per_byte : 0; }

    model::exchanges<Model> exchange() const { return model::exchanges<Model>{machine.all(), combine()}; }
    model::rounds<Model> rounds() const {
        return {machine.all(), std::max(2, chosen.radix), combine(), machine.uneven, machine.memory_per_byte};
    }
    double along_tree() const { return predicted_tree(machine, chosen.tree, bytes(), combine_in_tree()); }
    double by_circulant() const {
        const double piece = std::min(bytes(), static_cast<double>(chosen.whole_bytes));
        return exchange().circulant(piece, piece > 0 ? std::ceil(bytes() / piece) : 0);
    }
};

/// Who reads the table: `decide` compares candidates, whose rounds overlap and follow the levels. A list has
/// also what is no candidate; each step ends before the next begins.
enum class model_reader : unsigned char { decide, list };

/// Seconds of a verb by an algorithm.
template <model::message_model Model>
struct model_row {
    verb what{};
    algorithm uses{};
    double (*seconds)(const modelled_call<Model>&) = nullptr; ///< null: there is no model for this reader
};

/// For both readers.
template <class Model, model_reader, class Seconds>
constexpr model_row<Model> model_of(verb what, algorithm uses, Seconds seconds) {
    return {what, uses, seconds};
}
/// For each one of its own; `nullptr`: none.
template <class Model, model_reader Reader, class Decided, class Listed>
constexpr model_row<Model> model_of(verb what, algorithm uses, Decided decided, Listed listed) {
    if constexpr (Reader == model_reader::decide)
        return {what, uses, decided};
    else
        return {what, uses, listed};
}

/// The table. Of a verb's rows `topomp predict` prints a column each, in this order.
template <model::message_model Model, model_reader Reader>
constexpr auto model_rows() {
    using enum verb;
    const auto row = [](auto... of) { return model_of<Model, Reader>(of...); };
    return std::array{
        row(
            barrier, algorithm::tree,
            [](const auto& call) { return 2 * predicted_tree(call.machine, call.chosen.tree, 0); }, nullptr),
        row(
            barrier, algorithm::recursive_doubling, [](const auto& call) { return call.rounds().barrier(); },
            nullptr),
        row(barrier, algorithm::dissemination, nullptr,
            [](const auto& call) { return call.exchange().dissemination_barrier(); }),

        row(
            broadcast, algorithm::tree, [](const auto& call) { return call.along_tree(); }, nullptr),
        row(
            broadcast, algorithm::split_trees,
            [](const auto& call) {
                return predicted_tree(call.machine, call.chosen.tree, call.bytes(), 0,
                                      &call.chosen.second_tree);
            },
            nullptr),
        row(
            broadcast, algorithm::circulant, [](const auto& call) { return call.by_circulant(); }, nullptr),
        row(
            broadcast, algorithm::recursive_doubling,
            [](const auto& call) { return call.rounds().broadcast(call.bytes()); }, nullptr),

        row(
            reduce, algorithm::tree, [](const auto& call) { return call.along_tree(); }, nullptr),
        row(
            reduce, algorithm::circulant, [](const auto& call) { return call.by_circulant(); }, nullptr),
        row(
            reduce, algorithm::rabenseifner,
            [](const auto& call) { return call.rounds().reduce(call.bytes()); }, nullptr),

        row(
            all_reduce, algorithm::tree,
            [](const auto& call) {
                return predicted_tree_there_and_back(call.machine, call.chosen.tree, call.bytes(),
                                                     call.combine_in_tree());
            },
            nullptr),
        row(
            all_reduce, algorithm::recursive_doubling,
            [](const auto& call) { return call.rounds().all_reduce(call.bytes()); },
            [](const auto& call) { return call.exchange().recursive_doubling_all_reduce(call.bytes()); }),
        row(
            all_reduce, algorithm::rabenseifner,
            [](const auto& call) {
                return call.rounds().splitting_all_reduce(call.bytes(),
                                                          static_cast<double>(call.chosen.whole_bytes));
            },
            [](const auto& call) { return call.exchange().rabenseifner_all_reduce(call.bytes()); }),
        row(all_reduce, algorithm::ring, nullptr,
            [](const auto& call) { return call.exchange().ring_all_reduce(call.bytes()); }),
        row(
            all_reduce, algorithm::circulant,
            [](const auto& call) {
                return call.exchange().circulant_all_reduce(call.bytes(), call.chosen.radix);
            },
            nullptr),

        row(all_gather, algorithm::ring,
            [](const auto& call) { return call.exchange().ring_all_gather(call.bytes()); }),
        row(all_gather, algorithm::neighbour_exchange,
            [](const auto& call) { return call.exchange().neighbour_exchange_all_gather(call.bytes()); }),
        row(all_gather, algorithm::bruck, nullptr,
            [](const auto& call) { return call.exchange().bruck_all_gather(call.bytes()); }),
        row(
            all_gather, algorithm::recursive_doubling,
            [](const auto& call) { return call.rounds().all_gather(call.bytes()); },
            [](const auto& call) { return call.exchange().recursive_doubling_all_gather(call.bytes()); }),

        row(
            all_to_all, algorithm::pairwise,
            [](const auto& call) { return call.exchange().overlapped_all_to_all(call.bytes()); },
            [](const auto& call) { return call.exchange().pairwise_all_to_all(call.bytes()); }),
        row(all_to_all, algorithm::bruck,
            [](const auto& call) { return call.exchange().bruck_all_to_all(call.bytes()); }),
        row(
            all_to_all, algorithm::recursive_doubling,
            [](const auto& call) {
                const auto rounds = call.rounds();
                return rounds.has_all() ? rounds.all_to_all(call.bytes())
                                        : call.exchange().bruck_all_to_all(call.bytes());
            },
            nullptr),

        row(reduce_scatter, algorithm::ring,
            [](const auto& call) { return call.exchange().ring_reduce_scatter(call.block()); }),
        row(
            reduce_scatter, algorithm::recursive_halving,
            [](const auto& call) { return call.rounds().reduce_scatter(call.block()); },
            [](const auto& call) { return call.exchange().recursive_halving_reduce_scatter(call.block()); }),
    };
}

template <model::message_model Model, model_reader Reader>
inline constexpr auto model_table = model_rows<Model, Reader>();

/// Seconds of a verb by a choice; nothing where there is no model.
/// @cost linear in the number of ranks
template <model::message_model Model, model_reader Reader = model_reader::decide>
std::optional<double> predicted(const modelled_machine<Model>& machine, const plan& chosen,
                                const call_key& now) {
    if (chosen.tree.ignores_placement) return std::nullopt;
    // Blocks that are about as long.
    const verb what = now.what == verb::all_gatherv ? verb::all_gather : now.what;
    for (const model_row<Model>& row : model_table<Model, Reader>)
        if (row.what == what && row.uses == chosen.uses && row.seconds != nullptr)
            return row.seconds({machine, chosen, now});
    return std::nullopt;
}

} // namespace topo::detail
