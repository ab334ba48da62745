// SPDX-License-Identifier: BSL-1.0
/// @file
/// An MPI's own collectives in two levels: between one rank of each node the MPI's, inside nodes through
/// shared memory, as Open MPI's HAN and XHC and MPICH's shared-memory collectives do.
#pragma once

#include "every_verb.hpp"
#include "nodes.hpp"
#include <topomp/topomp.hpp>

#include <boost/mpi/communicator.hpp>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace topo_bench {

class two_levels {
public:
    /// @collective over `world`
    two_levels(const boost::mpi::communicator& world, const node_map& nodes)
        : nodes_(nodes), machine_(topo::machine::parse("node:" + std::to_string(nodes.nodes()) +
                                                       " core:" + std::to_string(nodes.largest()))),
          levels_(world, machine_, nodes.on(machine_)), node_(nodes.at(world.rank()).first),
          comm_(world.split(node_)),
          inside_(comm_, topo::machine::parse("core:" + std::to_string(comm_.size())),
                  topo::placement::core_by_core()),
          leaders_(world.split(comm_.rank() == 0 ? 0 : 1)), order_(nodes.by_node()) {
        for (int node = 0, begin = 0; node < nodes.nodes(); begin += nodes.size_of(node++))
            first_.push_back(begin);
    }

    /// Whether there is such a form of a verb.
    static bool has(std::string_view verb) { return find(verb) != nullptr; }
    void operator()(point& p, std::string_view verb) {
        verb_ = verb;
        (this->*find(verb))(p);
    }

private:
    using memory =
        topo::hierarchical<topo::within<topo::kind::machine, topo::shared>, topo::otherwise<topo::mpi_calls>>;
    using form = void (two_levels::*)(point&);

    static form find(std::string_view verb) {
        if (verb == "barrier") return &two_levels::barrier;
        if (verb == "broadcast") return &two_levels::broadcast;
        if (verb == "reduce") return &two_levels::reduce;
        if (verb == "all_reduce") return &two_levels::all_reduce;
        if (verb == "gather") return &two_levels::gather;
        if (verb == "scatter") return &two_levels::scatter;
        if (verb == "all_gather") return &two_levels::all_gather;
        if (verb.starts_with("all_to_allv")) return &two_levels::all_to_allv;
        if (verb.starts_with("all_gatherv")) return &two_levels::all_gatherv;
        return nullptr;
    }

    void barrier(point&) { topo::barrier(levels_, memory{}); }
    void broadcast(point& p) { topo::broadcast(levels_, p.whole_result(), 0, memory{}); }
    void reduce(point& p) {
        topo::reduce(levels_, p.input.data(), {p.result.data(), p.count, MPI_UINT64_T}, p.add, 0, memory{});
    }
    void all_reduce(point& p) {
        topo::all_reduce(levels_, p.input.data(), {p.result.data(), p.count, MPI_UINT64_T}, p.add, memory{});
    }

    /// The node's blocks at its leader, all blocks at the first one.
    void gather(point& p) {
        collect(p);
        if (comm_.rank() != 0) return;
        const auto [counts, begins] = layout(p);
        number* const all = place_of_all(p, p.result, node_ == 0);
        MPI_Gatherv(own_.data(), counts[at(node_)], MPI_UINT64_T, all, counts.data(), begins.data(),
                    MPI_UINT64_T, 0, leaders_);
        if (node_ == 0) sort(p, all, p.result.data());
    }

    void scatter(point& p) {
        if (comm_.rank() == 0) {
            const auto [counts, begins] = layout(p);
            own_.resize(static_cast<std::size_t>(counts[at(node_)]));
            number* all = p.input.data();
            if (node_ == 0 && !is_in_order()) {
                all = place_of_all(p, p.input, true);
                for (std::size_t i = 0; i < order_.size(); ++i)
                    move(p.input.data() + at(order_[i]) * p.count, all + i * p.count, p.count);
            }
            MPI_Scatterv(all, counts.data(), begins.data(), MPI_UINT64_T, own_.data(), counts[at(node_)],
                         MPI_UINT64_T, 0, leaders_);
        }
        topo::scatter(inside_, topo::blocks{own_.data(), MPI_UINT64_T, p.count},
                      {p.result.data(), p.count, MPI_UINT64_T}, 0, topo::shared{});
    }

    void all_gather(point& p) {
        collect(p);
        std::vector<number>& target = is_in_order() ? p.result : all_;
        target.resize(p.all());
        if (comm_.rank() == 0) {
            const auto [counts, begins] = layout(p);
            MPI_Allgatherv(own_.data(), counts[at(node_)], MPI_UINT64_T, target.data(), counts.data(),
                           begins.data(), MPI_UINT64_T, leaders_);
        }
        topo::broadcast(inside_, {target.data(), target.size(), MPI_UINT64_T}, 0, through_memory{});
        sort(p, target.data(), p.result.data());
    }

    /// What every rank has for each node lies in its node's memory; the leaders exchange it, and every rank
    /// takes what is for it. Where each block lies is known before the call, as no MPI knows it.
    void all_to_allv(point& p) {
        if (arranged_ != std::pair{verb_, p.count}) arrange(p);
        for (int node = 0; node < nodes_.nodes(); ++node) {
            number* to = outgoing_->all().data() + mine_begin_[at(node)];
            std::size_t copied = 0;
            for (int i = first_[at(node)]; i < first_[at(node)] + nodes_.size_of(node); ++i) {
                const std::size_t target = at(order_[at(i)]), count = p.there.counts[target];
                std::copy_n(p.input.data() + p.there.positions[target], count, to + copied);
                copied += count;
            }
            topo::detail::charge_copy(copied * sizeof(number));
        }
        topo::barrier(inside_, through_memory{});
        if (comm_.rank() == 0)
            MPI_Alltoallv(outgoing_->all().data(), sent_.counts.data(), sent_.begins.data(), MPI_UINT64_T,
                          incoming_->all().data(), received_.counts.data(), received_.begins.data(),
                          MPI_UINT64_T, leaders_);
        topo::barrier(inside_, through_memory{});
        for (int source = 0; source < p.size; ++source)
            std::copy_n(incoming_->all().data() + block_begin_[at(source)], p.here.counts[at(source)],
                        p.result.data() + p.here.positions[at(source)]);
        topo::detail::charge_copy(p.here.all() * sizeof(number));
    }

    /// Every rank puts its block into its node's memory; the leaders exchange what nodes have, and every rank
    /// takes all.
    void all_gatherv(point& p) {
        if (arranged_ != std::pair{verb_, p.count}) arrange_gathered(p);
        number* const all = incoming_->all().data();
        std::ranges::copy(p.input, all + block_begin_[at(p.rank)]);
        topo::detail::charge_copy(p.input.size() * sizeof(number));
        topo::barrier(inside_, through_memory{});
        if (comm_.rank() == 0)
            MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_UINT64_T, all, received_.counts.data(),
                           received_.begins.data(), MPI_UINT64_T, leaders_);
        topo::barrier(inside_, through_memory{});
        for (int source = 0; source < p.size; ++source)
            std::copy_n(all + block_begin_[at(source)], p.here.counts[at(source)],
                        p.result.data() + p.here.positions[at(source)]);
        topo::detail::charge_copy(p.here.all() * sizeof(number));
    }

    using through_memory = topo::hierarchical<topo::otherwise<topo::shared>>;

    void collect(point& p) {
        if (comm_.rank() == 0) own_.resize(static_cast<std::size_t>(comm_.size()) * p.count);
        topo::gather(inside_, p.whole_input(), topo::blocks{own_.data(), MPI_UINT64_T, p.count}, 0,
                     topo::shared{});
    }

    struct numbers {
        std::vector<int> counts, begins;
    };
    numbers layout(const point& p) const {
        numbers result;
        for (int node = 0; node < nodes_.nodes(); ++node) {
            result.counts.push_back(nodes_.size_of(node) * p.elements());
            result.begins.push_back(first_[at(node)] * p.elements());
        }
        return result;
    }

    /// Where the blocks of an all_to_allv lie in the memory of this node, and what the leaders exchange.
    /// @collective over all ranks
    void arrange(const point& p) {
        arranged_ = {verb_, p.count};
        const auto nodes = at(nodes_.nodes());
        // From each source and number in this node the bytes for each node, and of each source its block.
        std::vector<int> to_node(nodes, 0);
        for (int rank = 0; rank < p.size; ++rank)
            to_node[at(nodes_.at(rank).first)] += p.there.int_counts[at(rank)];
        std::vector<int> of_all(at(comm_.size()) * nodes);
        MPI_Allgather(to_node.data(), nodes_.nodes(), MPI_INT, of_all.data(), nodes_.nodes(), MPI_INT, comm_);
        std::vector<int> here(at(comm_.size()) * at(p.size));
        MPI_Allgather(p.here.int_counts.data(), p.size, MPI_INT, here.data(), p.size, MPI_INT, comm_);
        sent_ = received_ = {};
        mine_begin_.clear();
        int all_sent = 0, all_received = 0;
        for (int node = 0; node < nodes_.nodes(); ++node) {
            sent_.begins.push_back(all_sent);
            for (int each = 0; each < comm_.size(); ++each) {
                if (each == comm_.rank()) mine_begin_.push_back(at(all_sent));
                all_sent += of_all[at(each) * nodes + at(node)];
            }
            sent_.counts.push_back(all_sent - sent_.begins.back());
        }
        block_begin_.resize(at(p.size));
        for (int node = 0; node < nodes_.nodes(); ++node) {
            received_.begins.push_back(all_received);
            for (int i = first_[at(node)]; i < first_[at(node)] + nodes_.size_of(node); ++i)
                for (int each = 0; each < comm_.size(); ++each) {
                    if (each == comm_.rank()) block_begin_[at(order_[at(i)])] = at(all_received);
                    all_received += here[at(each) * at(p.size) + at(order_[at(i)])];
                }
            received_.counts.push_back(all_received - received_.begins.back());
        }
        const topo::window_options one_block{.blocks = topo::window_blocks::of_root};
        outgoing_.emplace(inside_, at(std::max(1, all_sent)), one_block);
        incoming_.emplace(inside_, at(std::max(1, all_received)), one_block);
    }

    /// The same of an all_gatherv: blocks node after node. @collective over all ranks
    void arrange_gathered(const point& p) {
        arranged_ = {verb_, p.count};
        received_ = {};
        block_begin_.resize(at(p.size));
        int all = 0;
        for (int node = 0; node < nodes_.nodes(); ++node) {
            received_.begins.push_back(all);
            for (int i = first_[at(node)]; i < first_[at(node)] + nodes_.size_of(node); ++i) {
                block_begin_[at(order_[at(i)])] = at(all);
                all += p.here.int_counts[at(order_[at(i)])];
            }
            received_.counts.push_back(all - received_.begins.back());
        }
        incoming_.emplace(inside_, at(std::max(1, all)),
                          topo::window_options{.blocks = topo::window_blocks::of_root});
    }

    static std::size_t at(int index) { return static_cast<std::size_t>(index); }
    bool is_in_order() const { return std::ranges::is_sorted(order_); }

    /// Where all blocks are node after node: where they belong, if that is the order of ranks.
    number* place_of_all(const point& p, std::vector<number>& own, bool is_here) {
        if (!is_here) return nullptr;
        if (is_in_order()) return own.data();
        all_.resize(p.all());
        return all_.data();
    }

    void sort(const point& p, const number* by_node, number* by_rank) const {
        if (is_in_order()) return;
        for (std::size_t i = 0; i < order_.size(); ++i)
            move(by_node + i * p.count, by_rank + at(order_[i]) * p.count, p.count);
    }

    static void move(const number* from, number* to, std::size_t count) {
        topo::detail::copy_shared(to, from, count * sizeof(number));
    }

    node_map nodes_;
    topo::machine machine_;
    topo::hierarchy levels_;
    int node_;
    std::string verb_; ///< that is called
    boost::mpi::communicator comm_;
    topo::hierarchy inside_; ///< of the own node
    boost::mpi::communicator leaders_;
    std::vector<int> order_; ///< all ranks, node after node
    std::vector<int> first_; ///< of each node, in that order
    std::vector<number> own_, all_;
    // of irregular verbs:
    std::pair<std::string, std::size_t> arranged_; ///< verb and mean length
    numbers sent_, received_;                      ///< of this node by the leaders, for each node
    std::vector<std::size_t> mine_begin_,          ///< of what this rank has for each node
        block_begin_;                              ///< of what each rank has for this one
    std::optional<topo::shared_window<number>> outgoing_, incoming_;
};

} // namespace topo_bench
