// SPDX-License-Identifier: BSL-1.0
/// @file
/// What can be wrong with the arguments of ordinary collectives.
#pragma once

#include "faults.hpp"
#include <topomp/topomp.hpp>

#include <boost/serialization/access.hpp>
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace topo_test {

/// A value that cannot be written if it is told so.
struct stubborn {
    bool throws = false;

private:
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        if (throws) throw std::runtime_error("it does not want to be sent");
        archive& throws;
    }
};

/// The faults of one hierarchy's collectives, and the memory that the calls are about.
class collective_faults {
public:
    explicit collective_faults(const topo::hierarchy& levels)
        : levels_(levels), size_(levels.whole().size()), ranks_(static_cast<std::size_t>(size_)), some_(8),
          result_(8 * ranks_), all_(8 * ranks_), counts_(ranks_, 2), one_more_(ranks_ + 1, 2),
          far_(ranks_, most / 2 / ranks_), full_(ranks_, most - 1), negative_(ranks_, most) {
        MPI_Type_contiguous(2, MPI_INT, &derived_);
        MPI_Type_commit(&derived_);
        MPI_Type_contiguous(3, MPI_INT, &uncommitted_);
        add_broadcasts();
        add_reductions();
        add_blocks();
        add_unequal_blocks();
        add_overlaps();
        add_serialized();
    }
    collective_faults(const collective_faults&) = delete;
    collective_faults& operator=(const collective_faults&) = delete;
    ~collective_faults() {
        MPI_Type_free(&derived_);
        MPI_Type_free(&uncommitted_);
    }

    const std::vector<fault>& all() const { return faults_; }

private:
    using message = topo::message;
    using blocks = topo::blocks;
    using counts = std::span<const std::size_t>;
    static constexpr std::size_t most = std::numeric_limits<std::size_t>::max() / 2 + 1; // 2^63

    void add(std::string name, fault::call usual, fault::call wrong, std::string words,
             seen_by whom = seen_by::every_rank) {
        faults_.push_back({std::move(name), std::move(usual), std::move(wrong), std::move(words), whom});
    }
    message ints(std::size_t count) { return {some_.data(), count, MPI_INT}; }
    message to(std::size_t count) { return {result_.data(), count, MPI_INT}; }
    blocks each(std::size_t count) { return {all_.data(), MPI_INT, count}; }
    int next(int rank) const { return (rank + 1) % size_; }

    /// What no message may be, for a verb that is called with one.
    void add_messages(const std::string& verb, const std::function<void(message)>& call) {
        const fault::call usual = [=, this](int) { call(ints(4)); };
        add(
            verb + " of no datatype", usual,
            [=, this](int) {
                call({some_.data(), 4, MPI_DATATYPE_NULL});
            },
            "datatype: it is MPI_DATATYPE_NULL");
        if (topo::detail::decodes_datatypes)
            add(
                verb + " of a datatype that is not committed", usual,
                [=, this](int) {
                    call({some_.data(), 1, uncommitted_});
                },
                "datatype: it is not committed");
        for (const std::size_t count : {most, most / 2, most / 4 + 1})
            add(
                verb + " of " + std::to_string(count) + " elements", usual,
                [=, this](int) { call(ints(count)); }, "more than memory can hold");
    }

    void add_roots(const std::string& verb, const std::function<void(int)>& call) {
        for (const int root : {99, -1})
            add(
                verb + " with root " + std::to_string(root), [=](int) { call(0); }, [=](int) { call(root); },
                "topo::" + verb);
    }

    template <class Policy>
    void add_broadcasts_by(const std::string& name, Policy by) {
        add_messages("broadcast" + name, [=, this](message what) { topo::broadcast(levels_, what, 0, by); });
        add_roots("broadcast", [=, this](int root) { topo::broadcast(levels_, some_, root, by); });
    }

    void add_broadcasts() {
        add_broadcasts_by("", topo::automatic{});
        if constexpr (!topo::detail::is_checked) { // where all compare before they look at the policy
            add_broadcasts_by(" by flat", topo::flat{});
            add_broadcasts_by(" by native", topo::native{});
        }
        add_messages("ibroadcast", [this](message what) { topo::ibroadcast(levels_, what, 0).wait(); });
        add_roots("ibroadcast", [this](int root) { topo::ibroadcast(levels_, some_, root).wait(); });
    }

    /// What cannot be combined, for a verb that is called with operands and an operation.
    void add_operands(const std::string& verb, const std::function<void(message, MPI_Op)>& call) {
        add_messages(verb, [=](message what) { call(what, MPI_SUM); });
        const fault::call usual = [=, this](int) { call(ints(4), MPI_SUM); };
        const auto refused = [&](const std::string& words, MPI_Datatype type, MPI_Op op) {
            add(
                verb + ": " + words, usual,
                [=, this](int) {
                    call({result_.data(), 2, type}, op);
                },
                words);
        };
        refused("operation: it is MPI_OP_NULL", MPI_INT, MPI_OP_NULL);
        refused("operation: MPI_BAND is not defined on MPI_FLOAT", MPI_FLOAT, MPI_BAND);
        refused("operation: MPI_SUM is not defined on MPI_FLOAT_INT", MPI_FLOAT_INT, MPI_SUM);
        refused("operation: MPI_SUM is not defined on a derived datatype", derived_, MPI_SUM);
        refused("operation: MPI_MAX is not defined on MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX, MPI_MAX);
        refused("operation: MPI_REPLACE is not defined on MPI_INT", MPI_INT, MPI_REPLACE);
    }

    /// Two buffers of one length, for a verb that is called with a span of operands and one of results.
    void add_pairs(const std::string& verb, const std::function<void(std::span<int>, std::span<int>)>& call) {
        const fault::call usual = [=, this](int) { call(some_, std::span{result_}.first(8)); };
        add(
            verb + " with a result that is an element short", usual,
            [=, this](int) { call(some_, std::span{result_}.first(7)); }, "topo::" + verb + ": result");
        add(
            verb + " of 2^63 elements", usual,
            [=, this](int) {
                const std::span<int> endless{some_.data(), most};
                call(endless, endless);
            },
            "more than memory can hold");
    }

    template <class Policy>
    void add_reductions_by(const std::string& name, Policy by) {
        add_operands("all_reduce" + name, [=, this](message result, MPI_Op op) {
            topo::all_reduce(levels_, some_.data(), result, op, by);
        });
        add_operands("reduce" + name, [=, this](message result, MPI_Op op) {
            topo::reduce(levels_, some_.data(), result, op, 0, by);
        });
    }

    void add_reductions() {
        add_reductions_by("", topo::automatic{});
        if constexpr (!topo::detail::is_checked) {
            add_reductions_by(" by flat", topo::flat{});
            add_reductions_by(" by native", topo::native{});
            add_reductions_by(" by lanes", topo::lanes<topo::binomial, topo::binomial>{});
            add_reductions_by(" by rabenseifner", topo::rabenseifner{});
        }
        add_operands("iall_reduce", [this](message result, MPI_Op op) {
            topo::iall_reduce(levels_, some_.data(), result, op).wait();
        });
        add_operands("ireduce", [this](message result, MPI_Op op) {
            topo::ireduce(levels_, some_.data(), result, op, 0).wait();
        });
        add_operands("scan",
                     [this](message result, MPI_Op op) { topo::scan(levels_, some_.data(), result, op); });
        add_operands("exclusive_scan", [this](message result, MPI_Op op) {
            topo::exclusive_scan(levels_, some_.data(), result, op);
        });
        add_operands("reduce_scatter", [this](message mine, MPI_Op op) {
            topo::reduce_scatter(levels_, {all_.data(), mine.type, mine.count}, mine, op);
        });
        add_pairs("all_reduce",
                  [this](auto from, auto to) { topo::all_reduce(levels_, from, to, std::plus<>{}); });
        add_pairs("iall_reduce",
                  [this](auto from, auto to) { topo::iall_reduce(levels_, from, to, std::plus<>{}).wait(); });
        add_pairs("scan", [this](auto from, auto to) { topo::scan(levels_, from, to, std::plus<>{}); });
        add_pairs("exclusive_scan",
                  [this](auto from, auto to) { topo::exclusive_scan(levels_, from, to, std::plus<>{}); });
        for (const bool goes_on : {false, true})
            add(
                goes_on ? "ireduce with a short result" : "reduce with a short result",
                [=, this](int odd) { reduce(goes_on, odd, 8); },
                [=, this](int odd) { reduce(goes_on, odd, 7); }, "reduce: result: it has room for 7",
                seen_by::one);
        add_roots("reduce", [this](int root) {
            topo::reduce(levels_, some_, std::span{result_}.first(8), std::plus<>{}, root);
        });
        add_roots("ireduce", [this](int root) {
            topo::ireduce(levels_, some_, std::span{result_}.first(8), std::plus<>{}, root).wait();
        });
        add_reduce_scatters();
    }
    void reduce(bool goes_on, int root, std::size_t room) {
        const auto result = std::span{result_}.first(room);
        if (goes_on)
            topo::ireduce(levels_, some_, result, std::plus<>{}, root).wait();
        else
            topo::reduce(levels_, some_, result, std::plus<>{}, root);
    }

    void add_reduce_scatters() {
        const fault::call usual = [this](int) { topo::reduce_scatter(levels_, each(2), to(2), MPI_SUM); };
        add(
            "reduce_scatter into a longer block", usual,
            [this](int) { topo::reduce_scatter(levels_, each(2), to(3), MPI_SUM); },
            "topo::reduce_scatter: mine");
        add(
            "reduce_scatter into a block of another datatype", usual,
            [this](int) {
                message other = to(2);
                other.type = MPI_UNSIGNED;
                topo::reduce_scatter(levels_, each(2), other, MPI_SUM);
            },
            "topo::reduce_scatter: mine: its datatype (MPI_UNSIGNED)");
        add(
            "reduce_scatter with a count too many", usual,
            [this](int) {
                topo::reduce_scatter(levels_, {all_.data(), MPI_INT, 0, one_more_}, to(2), MPI_SUM);
            },
            "topo::reduce_scatter: counts");
        add(
            "reduce_scatter with positions", usual,
            [this](int) {
                topo::reduce_scatter(levels_, {all_.data(), MPI_INT, 0, counts_, counts_}, to(2), MPI_SUM);
            },
            "topo::reduce_scatter: positions");
        add(
            "reduce_scatter of counts whose sum passes memory", usual,
            [this](int) {
                topo::reduce_scatter(levels_, {all_.data(), MPI_INT, 0, full_}, to(2), MPI_SUM);
            },
            "than memory can hold");
        add(
            "reduce_scatter of one element more", usual,
            [this](int) {
                std::vector<int> more(2 * ranks_ + 1), two(2);
                topo::reduce_scatter(levels_, more, two, std::plus<>{});
            },
            "topo::reduce_scatter: elements");
        add(
            "reduce_scatter of counts for fewer elements", usual,
            [this](int) {
                std::vector<int> more(2 * ranks_ + 1), two(2);
                topo::reduce_scatter(levels_, more, counts_, two, std::plus<>{});
            },
            "topo::reduce_scatter: elements");
    }

    /// gather and scatter, between whose arguments there is no difference but the direction.
    template <class Call>
    void add_blocks_of_root(const std::string& verb, Call call) {
        add_messages(verb, [=, this](message mine) { call(mine, {all_.data(), mine.type, mine.count}, 0); });
        add_roots(verb, [=, this](int root) { call(ints(4), each(4), root); });
        const fault::call usual = [=, this](int odd) { call(ints(4), each(4), odd); };
        const auto at_root = [&](const std::string& what, const std::string& words, auto wrong) {
            add(verb + ", " + what, usual, wrong, words, seen_by::one);
        };
        const std::size_t too_many = most / 4 / ranks_ + 1; // of which no rank's own are
        add(
            verb + " of blocks that together pass memory", [=, this](int) { call(ints(4), each(4), 0); },
            [=, this](int) { call(ints(too_many), each(too_many), 0); }, "more than memory can hold");
        add(
            verb + " in place elsewhere than on the root",
            [=, this](int odd) { call(ints(4), each(4), next(odd)); },
            [=, this](int odd) {
                call({MPI_IN_PLACE, 0, MPI_INT}, each(4), next(odd));
            },
            "topo::" + verb, seen_by::one);
        at_root("blocks of another length than the root's own", "topo::" + verb + ": mine",
                [=, this](int odd) { call(ints(4), each(5), odd); });
        at_root("blocks of no datatype", "datatype: it is MPI_DATATYPE_NULL", [=, this](int odd) {
            call(ints(4), {all_.data(), MPI_DATATYPE_NULL, 4}, odd);
        });
        at_root("blocks with counts", "topo::" + verb + ": blocks", [=, this](int odd) {
            call(ints(4), {all_.data(), MPI_INT, 4, counts_}, odd);
        });
        at_root("more blocks than memory can hold", "more than memory can hold", [=, this](int odd) {
            call(ints(4), {all_.data(), MPI_INT, most / 8}, odd);
        });
    }

    void add_blocks() {
        add_blocks_of_root(
            "gather", [this](message mine, blocks all, int root) { topo::gather(levels_, mine, all, root); });
        add_blocks_of_root("scatter", [this](message mine, blocks all, int root) {
            topo::scatter(levels_, all, mine, root);
        });
        add(
            "gather into a short result", [this](int odd) { topo::gather(levels_, some_, all_, odd); },
            [this](int odd) { topo::gather(levels_, some_, std::span{all_}.first(8 * ranks_ - 1), odd); },
            "topo::gather: result", seen_by::one);
        add(
            "scatter of too few", [this](int odd) { topo::scatter(levels_, all_, some_, odd); },
            [this](int odd) { topo::scatter(levels_, std::span{all_}.first(8 * ranks_ - 1), some_, odd); },
            "topo::scatter: elements", seen_by::one);
        add(
            "gather of more than memory can hold",
            [this](int odd) { static_cast<void>(topo::gather(levels_, some_, odd)); },
            [this](int odd) {
                static_cast<void>(topo::gather(levels_, std::span<const int>{some_.data(), most / 2}, odd));
            },
            "more than memory can hold");
        for (const bool goes_on : {false, true})
            add_all_gathers(goes_on);
        for (const bool goes_on : {false, true})
            add_all_to_alls(goes_on);
        add(
            "all_gather of more than memory can hold",
            [this](int) { static_cast<void>(topo::all_gather(levels_, some_)); },
            [this](int) {
                static_cast<void>(topo::all_gather(levels_, std::span<const int>{some_.data(), most / 4}));
            },
            "more than memory can hold");
    }

    void add_all_gathers(bool goes_on) {
        const std::string verb = goes_on ? "iall_gather" : "all_gather";
        const auto call = [=, this](message mine, blocks all) {
            if (goes_on)
                topo::iall_gather(levels_, mine, all).wait();
            else
                topo::all_gather(levels_, mine, all);
        };
        const fault::call usual = [=, this](int) { call(ints(4), each(4)); };
        add_messages(verb, [=, this](message mine) { call(mine, {all_.data(), mine.type, mine.count}); });
        add(
            verb + " of a longer block", usual, [=, this](int) { call(ints(5), each(4)); },
            "topo::" + verb + ": mine");
        add(
            verb + " with counts", usual,
            [=, this](int) {
                call(ints(4), {all_.data(), MPI_INT, 4, counts_});
            },
            "topo::" + verb + ": blocks");
        add(
            verb + " into a short result", usual,
            [=, this](int) {
                const auto room = std::span{all_}.first(4 * ranks_ - 1);
                const auto mine = std::span<const int>{some_}.first(4);
                if (goes_on)
                    topo::iall_gather(levels_, mine, room).wait();
                else
                    topo::all_gather(levels_, mine, room);
            },
            "topo::" + verb + ": result");
    }

    void add_all_to_alls(bool goes_on) {
        const std::string verb = goes_on ? "iall_to_all" : "all_to_all";
        const auto call = [=, this](blocks from, blocks to) {
            if (goes_on)
                topo::iall_to_all(levels_, from, to).wait();
            else
                topo::all_to_all(levels_, from, to);
        };
        const auto in = [this](std::size_t count) { return blocks{result_.data(), MPI_INT, count}; };
        const fault::call usual = [=, this](int) { call(each(4), in(4)); };
        add_messages(verb, [=, this](message mine) {
            call({all_.data(), mine.type, mine.count}, {result_.data(), mine.type, mine.count});
        });
        add(
            verb + " of longer blocks", usual, [=, this](int) { call(each(5), in(4)); },
            "topo::" + verb + ": mine");
        add(
            verb + " with counts", usual,
            [=, this](int) {
                call({all_.data(), MPI_INT, 4, counts_}, in(4));
            },
            "topo::" + verb + ": blocks");
        if (goes_on)
            add(
                verb + " in place", usual,
                [=](int) {
                    call({MPI_IN_PLACE, MPI_INT, 4}, in(4));
                },
                "topo::iall_to_all: source");
        add(
            verb + " into a short result", usual,
            [=, this](int) {
                const auto from = std::span<const int>{all_}.first(4 * ranks_);
                const auto room = std::span{result_}.first(4 * ranks_ - 1);
                if (goes_on)
                    topo::iall_to_all(levels_, from, room).wait();
                else
                    topo::all_to_all(levels_, from, room);
            },
            "topo::" + verb + ": result");
        if (size_ > 1)
            add(
                verb + " of a number that is no multiple of the ranks", usual,
                [=, this](int) {
                    const auto from = std::span<const int>{all_}.first(4 * ranks_ + 1);
                    const auto room = std::span{result_}.first(4 * ranks_ + 1);
                    if (goes_on)
                        topo::iall_to_all(levels_, from, room).wait();
                    else
                        topo::all_to_all(levels_, from, room);
                },
                "topo::" + verb + ": elements");
    }

    blocks unequal(counts each, counts positions = {}) { return {all_.data(), MPI_INT, 0, each, positions}; }

    /// What counts and positions no blocks may have. @param wrong makes a call with them
    template <class Wrong>
    void add_counts(const std::string& verb, const fault::call& usual, Wrong wrong, seen_by whom) {
        const std::string where = "topo::" + verb;
        const auto refused = [&](const std::string& what, blocks all, const std::string& words) {
            add(
                verb + ": " + what, usual, [=](int odd) { wrong(all, odd); }, words, whom);
        };
        refused("a count too many", unequal(one_more_), where + ": counts");
        refused("a position too many", unequal(counts_, one_more_), where + ": positions");
        refused("counts whose sum passes memory", unequal(full_), "than memory can hold");
        refused("negative counts", unequal(negative_), where + ": counts[0]: it is -");
        refused("positions beyond memory", unequal(counts_, full_), "than memory can hold");
        refused("blocks whose bytes pass memory", unequal(far_), "than memory can hold");
        refused("no datatype", {all_.data(), MPI_DATATYPE_NULL, 0, counts_}, "it is MPI_DATATYPE_NULL");
    }

    template <class Call>
    void add_unequal_of_root(const std::string& verb, Call call) {
        add_roots(verb, [=, this](int root) { call(ints(2), unequal(counts_), root); });
        const fault::call usual = [=, this](int odd) { call(ints(2), unequal(counts_), odd); };
        add_counts(
            verb, usual, [=, this](blocks all, int odd) { call(ints(2), all, odd); }, seen_by::one);
        add(
            verb + ": the root's own block has another length", usual,
            [=, this](int odd) { call(ints(3), unequal(counts_), odd); }, "topo::" + verb + ": mine",
            seen_by::one);
        if (topo::detail::is_checked && size_ > 1)
            add(
                verb + ": another rank's block has another length",
                [=, this](int odd) { call(ints(2), unequal(counts_), next(odd)); },
                [=, this](int odd) { call(ints(3), unequal(counts_), next(odd)); },
                "topo::" + verb + ": mine: it has 12 bytes on rank ", seen_by::one);
    }

    static void start_and_wait(topo::persistent made) {
        made.start();
        made.wait();
    }

    void add_unequal_blocks() {
        add_unequal_of_root("gatherv", [this](message mine, blocks all, int root) {
            topo::gatherv(levels_, mine, all, root);
        });
        add_unequal_of_root("scatterv", [this](message mine, blocks all, int root) {
            topo::scatterv(levels_, all, mine, root, topo::flat{});
        });
        add_unequal_of_root("igatherv", [this](message mine, blocks all, int root) {
            topo::igatherv(levels_, mine, all, root).wait();
        });
        add_unequal_of_root("iscatterv", [this](message mine, blocks all, int root) {
            topo::iscatterv(levels_, all, mine, root).wait();
        });
        add_unequal_of_root("gatherv_init", [this](message mine, blocks all, int root) {
            start_and_wait(topo::gatherv_init(levels_, mine, all, root));
        });
        add_unequal_of_root("scatterv_init", [this](message mine, blocks all, int root) {
            start_and_wait(topo::scatterv_init(levels_, all, mine, root));
        });
        add(
            "gatherv into a short result",
            [this](int odd) { topo::gatherv(levels_, two(), all_, counts_, odd); },
            [this](int odd) { topo::gatherv(levels_, two(), std::span{all_}.first(1), counts_, odd); },
            "topo::gatherv: result", seen_by::one);
        add(
            "scatterv of too few", [this](int odd) { topo::scatterv(levels_, all_, counts_, odd); },
            [this](int odd) { topo::scatterv(levels_, std::span{all_}.first(1), counts_, odd); },
            "topo::scatterv: elements", seen_by::one);
        add_roots("gatherv", [this](int root) { static_cast<void>(topo::gatherv(levels_, two(), root)); });
        add(
            "gatherv of more than memory can hold",
            [this](int) { static_cast<void>(topo::gatherv(levels_, two(), 0)); },
            [this](int) {
                static_cast<void>(topo::gatherv(levels_, std::span<const int>{some_.data(), most / 4}, 0));
            },
            "more than memory can hold");

        const fault::call all_gatherv = [this](int) {
            topo::all_gatherv(levels_, ints(2), unequal(counts_));
        };
        add_counts(
            "all_gatherv", all_gatherv, [this](blocks all, int) { topo::all_gatherv(levels_, ints(2), all); },
            seen_by::every_rank);
        add(
            "all_gatherv of a longer block", all_gatherv,
            [this](int) { topo::all_gatherv(levels_, ints(3), unequal(counts_)); },
            "topo::all_gatherv: mine");
        add(
            "all_gatherv into a short result", all_gatherv,
            [this](int) { topo::all_gatherv(levels_, two(), std::span{all_}.first(1), counts_); },
            "topo::all_gatherv: result");
        add(
            "all_gatherv of more than memory can hold",
            [this](int) { static_cast<void>(topo::all_gatherv(levels_, two())); },
            [this](int) {
                static_cast<void>(topo::all_gatherv(levels_, std::span<const int>{some_.data(), most / 4}));
            },
            "more than memory can hold");
        add_all_to_allv();
    }

    std::span<const int> two() const { return std::span{some_}.first(2); }

    void add_all_to_allv() {
        const blocks in{result_.data(), MPI_INT, 0, counts_};
        const fault::call usual = [=, this](int) { topo::all_to_allv(levels_, unequal(counts_), in); };
        add_counts(
            "all_to_allv", usual, [=, this](blocks from, int) { topo::all_to_allv(levels_, from, in); },
            seen_by::every_rank);
        add_counts(
            "all_to_allv", usual,
            [=, this](blocks to, int) { topo::all_to_allv(levels_, unequal(counts_), to); },
            seen_by::every_rank);
        add(
            "all_to_allv of too few", usual,
            [this](int) { topo::all_to_allv(levels_, std::span{all_}.first(1), counts_, result_, counts_); },
            "topo::all_to_allv: elements");
        add_pair_lengths("all_to_allv", [this](const blocks& from, const blocks& to) {
            topo::all_to_allv(levels_, from, to);
        });
        add_pair_lengths("iall_to_allv", [this](const blocks& from, const blocks& to) {
            topo::iall_to_allv(levels_, from, to).wait();
        });
        add_pair_lengths("all_to_allv_init", [this](const blocks& from, const blocks& to) {
            start_and_wait(topo::all_to_allv_init(levels_, from, to));
        });
    }

    /// An all_to_allv in which one rank sends more than another expects, or expects less than it is sent.
    void add_pair_lengths(const std::string& verb,
                          const std::function<void(const blocks&, const blocks&)>& call) {
        if (!topo::detail::is_checked || size_ == 1) return;
        const auto in = [this](counts each) { return blocks{result_.data(), MPI_INT, 0, each}; };
        const fault::call usual = [=, this](int) { call(unequal(counts_), in(counts_)); };
        const auto one_more = [this](int rank, std::size_t count) {
            auto more = counts_;
            more[static_cast<std::size_t>(rank)] = count;
            return more;
        };
        add(
            verb + " of a longer block to another rank", usual,
            [=, this](int odd) {
                const auto more = one_more(next(odd), 3);
                call(unequal(more), in(counts_));
            },
            " sends 12 bytes to rank ", seen_by::one);
        faults_.back().found_after = 1;
        add(
            verb + " into a shorter block of another rank", usual,
            [=, this](int odd) {
                const auto fewer = one_more(next(odd), 1);
                call(unequal(counts_), in(fewer));
            },
            " sends 8 bytes to rank ", seen_by::one);
    }

    /// A verb whose result, or source, has blocks with elements in common, in a checked build.
    /// @param call of a result, and the rank that makes the wrong call: the root, if the verb has one
    template <class Call>
    void add_overlap(const std::string& verb, seen_by whom, Call call, const std::string& object = "result") {
        if (!topo::detail::is_checked || size_ == 1) return;
        const auto with = [=, this](const std::vector<std::size_t>& positions) -> fault::call {
            return [=, this](int odd) { call(blocks{result_.data(), MPI_INT, 0, counts_, positions}, odd); };
        };
        std::vector<std::size_t> apart(ranks_);
        for (std::size_t i = 0; i < ranks_; ++i)
            apart[i] = 2 * i;
        add(verb + " into blocks that overlap", with(apart), with(std::vector<std::size_t>(ranks_, 1)),
            "topo::" + verb + ": " + object +
                ": the blocks of rank 0, elements 1 to 2, and of rank 1, elements 1 to 2",
            whom);
    }

    void add_overlaps() {
        const auto all = seen_by::every_rank, root = seen_by::one;
        add_overlap("all_gatherv", all,
                    [this](const blocks& to, int) { topo::all_gatherv(levels_, ints(2), to); });
        add_overlap("iall_gatherv", all,
                    [this](const blocks& to, int) { topo::iall_gatherv(levels_, ints(2), to).wait(); });
        add_overlap("all_gatherv_init", all, [this](const blocks& to, int) {
            static_cast<void>(topo::all_gatherv_init(levels_, ints(2), to));
        });
        add_overlap("all_to_allv", all,
                    [this](const blocks& to, int) { topo::all_to_allv(levels_, unequal(counts_), to); });
        add_overlap("iall_to_allv", all, [this](const blocks& to, int) {
            topo::iall_to_allv(levels_, unequal(counts_), to).wait();
        });
        add_overlap("all_to_allv_init", all, [this](const blocks& to, int) {
            static_cast<void>(topo::all_to_allv_init(levels_, unequal(counts_), to));
        });
        add_overlap("gatherv", root,
                    [this](const blocks& to, int odd) { topo::gatherv(levels_, ints(2), to, odd); });
        add_overlap("igatherv", root,
                    [this](const blocks& to, int odd) { topo::igatherv(levels_, ints(2), to, odd).wait(); });
        add_overlap("gatherv_init", root, [this](const blocks& to, int odd) {
            static_cast<void>(topo::gatherv_init(levels_, ints(2), to, odd));
        });
        add_overlap(
            "scatterv", root,
            [this](const blocks& from, int odd) { topo::scatterv(levels_, from, to(2), odd); }, "source");
        add_overlap(
            "iscatterv", root,
            [this](const blocks& from, int odd) { topo::iscatterv(levels_, from, to(2), odd).wait(); },
            "source");
        add_overlap(
            "scatterv_init", root,
            [this](const blocks& from, int odd) {
                static_cast<void>(topo::scatterv_init(levels_, from, to(2), odd));
            },
            "source");
    }

    void add_serialized() {
        const std::string word = "a word";
        const auto thrown = [&](const std::string& name, fault::call usual, fault::call wrong) {
            add(name, std::move(usual), std::move(wrong), "it does not want to be sent", seen_by::one);
            faults_.back().type = &typeid(topo::error);
            faults_.back().own_type = &typeid(std::runtime_error);
        };
        add_roots("broadcast", [=, this](int root) {
            std::string value = word;
            topo::broadcast(levels_, value, root);
        });
        add_roots("gather", [=, this](int root) { static_cast<void>(topo::gather(levels_, word, root)); });
        add_roots("scatter", [=, this](int root) {
            static_cast<void>(topo::scatter(levels_, std::vector<std::string>(ranks_, word), root));
        });
        const auto broadcast = [this](int root, bool throws) {
            stubborn value{throws};
            topo::broadcast(levels_, value, root);
        };
        thrown(
            "broadcast of what cannot be written", [=](int odd) { broadcast(odd, false); },
            [=](int odd) { broadcast(odd, true); });
        thrown(
            "gather of what cannot be written",
            [this](int) { static_cast<void>(topo::gather(levels_, stubborn{false}, 0)); },
            [this](int) { static_cast<void>(topo::gather(levels_, stubborn{true}, 0)); });
        thrown(
            "all_gather of what cannot be written",
            [this](int) { static_cast<void>(topo::all_gather(levels_, stubborn{false})); },
            [this](int) { static_cast<void>(topo::all_gather(levels_, stubborn{true})); });
        add(
            "scatter of too few values",
            [=, this](int odd) {
                static_cast<void>(topo::scatter(levels_, std::vector<std::string>(ranks_, word), odd));
            },
            [=, this](int odd) {
                static_cast<void>(topo::scatter(levels_, std::vector<std::string>(ranks_ - 1, word), odd));
            },
            "topo::scatter: values", seen_by::one);
    }

    const topo::hierarchy& levels_;
    int size_;
    std::size_t ranks_;
    std::vector<int> some_, result_, all_;
    std::vector<std::size_t> counts_, one_more_, far_, full_, negative_;
    MPI_Datatype derived_ = MPI_DATATYPE_NULL, uncommitted_ = MPI_DATATYPE_NULL;
    std::vector<fault> faults_;
};

} // namespace topo_test
