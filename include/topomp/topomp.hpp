// SPDX-License-Identifier: BSL-1.0
/// @file
/// All headers for programs; a program that includes only what it names compiles faster.
#pragma once

#include <topomp/version.hpp>

// Exceptions, messages and what MPI moves
#include <topomp/core/elements.hpp> // C++ elements as MPI's messages
#include <topomp/core/error.hpp> // the exceptions that topomp throws for anything but a failed MPI call (see core/mpi.hpp for those)
#include <topomp/core/handle.hpp>       // ownership, written once
#include <topomp/core/integers.hpp>     // lists of integers of any type
#include <topomp/core/message.hpp>      // what a collective moves, with the type erased
#include <topomp/core/mpi.hpp>          // the one layer through which topomp calls MPI
#include <topomp/core/serializable.hpp> // which types Boost.Serialization can turn into bytes

// Where ranks run: real, described or made up
#include <topomp/hardware/cpu_set.hpp>  // a set of processing units, as a value
#include <topomp/hardware/hostlist.hpp> // Slurm's short way of writing many host names
#include <topomp/hardware/kind.hpp> // the kinds of hardware object that a level of the hierarchy can stand for
#include <topomp/hardware/machine.hpp>   // a description of hardware with one or many nodes, real or made up
#include <topomp/hardware/network.hpp>   // where the names of the switches above a host come from
#include <topomp/hardware/place.hpp>     // where one rank may run, as a value
#include <topomp/hardware/placement.hpp> // which rank sits where on a machine
#include <topomp/hardware/topology.hpp>  // the hardware of one node, owned

// Communicators that follow the hardware
#include <topomp/hierarchy/discover.hpp> // the calling rank's real place
#include <topomp/hierarchy/gather_outline.hpp> // all communicators of a running hierarchy, brought to one rank for showing
#include <topomp/hierarchy/hierarchy.hpp>  // all levels of the calling rank at once
#include <topomp/hierarchy/level.hpp>      // one level of the calling rank's hierarchy
#include <topomp/hierarchy/level_info.hpp> // what a level stands for
#include <topomp/hierarchy/options.hpp>    // which levels a hierarchy shall have
#include <topomp/hierarchy/outline.hpp> // all communicators of a hierarchy as plain data, computed from places without MPI
#include <topomp/hierarchy/relate.hpp> // what the ranks of two communicators have to do with each other
#include <topomp/hierarchy/remap.hpp> // moving data from ranks of one communicator to the ranks with the same numbers in another
#include <topomp/hierarchy/shared_level.hpp> // how close ranks are
#include <topomp/hierarchy/split.hpp>        // one level at a time
#include <topomp/hierarchy/translate.hpp>    // which rank of one communicator is which rank of another

// Shared memory of a node
#include <topomp/memory/arena.hpp>         // the shared memory of a node's ranks
#include <topomp/memory/numa_share.hpp>    // on which NUMA nodes memory lies
#include <topomp/memory/shared_window.hpp> // memory that the ranks of a node have in common, as a container

// Which algorithm at which level: policies, which are types, and plans, which are values
#include <topomp/plan/hierarchical.hpp>  // an algorithm inside each level, as types
#include <topomp/plan/plan.hpp>          // what one call does, as a value
#include <topomp/plan/plan_of.hpp>       // the plan that a policy stands for
#include <topomp/plan/plan_text.hpp>     // plans as text, and back
#include <topomp/plan/policy.hpp>        // which algorithm at which level, as types
#include <topomp/plan/policy_traits.hpp> // which algorithm a policy names, and with which shapes

// What `automatic` decides by
#include <topomp/decide/adaptive.hpp> // a policy that learns while the program runs
#include <topomp/decide/explain.hpp>  // what is decided, and why
#include <topomp/decide/tuning.hpp>   // where the costs are from

// Shapes of trees, and algorithms inside one level
#include <topomp/algorithm/any_shape.hpp> // shapes of trees as values
#include <topomp/algorithm/blocks.hpp> // one block of elements for each rank of the whole, in one rank's buffer
#include <topomp/algorithm/circulant_in_level.hpp> // inside a level: pieces in the least number of rounds
#include <topomp/algorithm/direct_messages.hpp>    // inside a level of few ranks
#include <topomp/algorithm/exact_sum.hpp> // sums of floating-point numbers that do not depend on their order
#include <topomp/algorithm/level_algorithm.hpp> // what an algorithm inside a level can do, and the MPI's own as one of them
#include <topomp/algorithm/level_members.hpp>   // where an algorithm of one's own works
#include <topomp/algorithm/multi_object.hpp>    // between nodes: several ranks of each exchange
#include <topomp/algorithm/rounds_in_lanes.hpp> // between nodes: each rank exchanges a slice
#include <topomp/algorithm/rounds_in_level.hpp> // inside a level: rounds of several ranks
#include <topomp/algorithm/shape.hpp>           // trees over numbers, as pure functions
#include <topomp/algorithm/shared.hpp>      // the algorithm through the memory that the ranks of a node share
#include <topomp/algorithm/shared_pull.hpp> // ranks of a node that fetch what others show them
#include <topomp/algorithm/split_binary.hpp> // a binary tree whose two subtrees carry a half of the message each
#include <topomp/algorithm/tree_in_level.hpp> // inside a level: one tree, in segments
#include <topomp/algorithm/two_tree.hpp>      // two binary trees, each of which carries a half of the message

// Collectives on ordinary buffers
#include <topomp/collective/all_gather.hpp> // the data of all ranks to all ranks, in the order of ranks
#include <topomp/collective/all_gather_by_tree.hpp> // the data of all ranks to all ranks, in the order of ranks, along trees that the program names
#include <topomp/collective/all_gather_init.hpp> // the data of all ranks to all ranks, prepared once
#include <topomp/collective/all_gatherv.hpp> // blocks of different lengths from all ranks to all ranks, in the order of ranks
#include <topomp/collective/all_gatherv_by_tree.hpp> // blocks of different lengths from all ranks to all ranks, in the order of ranks, along trees that the program names
#include <topomp/collective/all_gatherv_init.hpp> // blocks of different lengths from all ranks to all ranks, prepared once
#include <topomp/collective/all_reduce.hpp> // all ranks' data combined on every rank
#include <topomp/collective/all_reduce_by_tree.hpp> // all ranks' data combined on every rank, along trees that the program names
#include <topomp/collective/all_reduce_init.hpp> // all ranks' data combined on every rank, prepared once
#include <topomp/collective/all_to_all.hpp>      // a block from each rank to each rank
#include <topomp/collective/all_to_all_init.hpp> // a block from each rank to each rank, prepared once
#include <topomp/collective/all_to_allv.hpp>     // blocks of different lengths from each rank to each rank
#include <topomp/collective/all_to_allv_init.hpp> // blocks of different lengths from each rank to each rank, prepared once
#include <topomp/collective/barrier.hpp> // no rank returns before all have called
#include <topomp/collective/barrier_by_tree.hpp> // no rank returns before all have called, along trees that the program names
#include <topomp/collective/barrier_init.hpp> // a barrier, prepared once
#include <topomp/collective/broadcast.hpp>    // one rank's data to all ranks
#include <topomp/collective/broadcast_by_tree.hpp> // one rank's data to all ranks, along trees that the program names
#include <topomp/collective/broadcast_init.hpp> // one rank's data to all, prepared once
#include <topomp/collective/exclusive_scan.hpp> // each rank's data combined with that of all ranks before it, without its own
#include <topomp/collective/exclusive_scan_by_tree.hpp> // each rank's data combined with that of all ranks before it, without its own, along trees that the program names
#include <topomp/collective/exclusive_scan_init.hpp> // the data of all ranks before each combined, prepared once
#include <topomp/collective/gather.hpp>              // blocks of one length from all ranks to one
#include <topomp/collective/gather_by_tree.hpp> // blocks of one length from all ranks to one, along trees that the program names
#include <topomp/collective/gather_init.hpp> // blocks of one length to one rank, prepared once
#include <topomp/collective/gathered.hpp>    // blocks of different lengths, and where each rank's is
#include <topomp/collective/gatherv.hpp>     // blocks of different lengths from all ranks to one
#include <topomp/collective/gatherv_by_tree.hpp> // blocks of different lengths from all ranks to one, along trees that the program names
#include <topomp/collective/gatherv_init.hpp> // blocks of different lengths to one rank, prepared once
#include <topomp/collective/iall_gather.hpp>  // the data of all ranks to all ranks, non-blocking
#include <topomp/collective/iall_gatherv.hpp> // blocks of different lengths from all ranks to all ranks, non-blocking
#include <topomp/collective/iall_reduce.hpp> // all ranks' data combined on every rank, non-blocking
#include <topomp/collective/iall_to_all.hpp> // a block from each rank to each rank, non-blocking
#include <topomp/collective/iall_to_allv.hpp> // blocks of different lengths from each rank to each rank, non-blocking
#include <topomp/collective/ibarrier.hpp>        // a barrier that the caller need not wait in
#include <topomp/collective/ibroadcast.hpp>      // one rank's data to all ranks, non-blocking
#include <topomp/collective/iexclusive_scan.hpp> // the data of all ranks before each combined, non-blocking
#include <topomp/collective/igather.hpp>         // blocks of one length to one rank, non-blocking
#include <topomp/collective/igatherv.hpp>        // blocks of different lengths to one rank, non-blocking
#include <topomp/collective/ireduce.hpp>         // all ranks' data combined on one rank, non-blocking
#include <topomp/collective/ireduce_scatter.hpp> // all ranks' data combined, a block for each, non-blocking
#include <topomp/collective/iscan.hpp> // each rank's data combined with that of all before it, non-blocking
#include <topomp/collective/iscatter.hpp>        // blocks of one length from one rank, non-blocking
#include <topomp/collective/iscatterv.hpp>       // blocks of different lengths from one rank, non-blocking
#include <topomp/collective/persistent.hpp>      // a collective that is prepared once and started many times
#include <topomp/collective/progress_thread.hpp> // a thread that goes on with requests
#include <topomp/collective/reduce.hpp>          // all ranks' data combined on one rank
#include <topomp/collective/reduce_by_tree.hpp> // all ranks' data combined on one rank, along trees that the program names
#include <topomp/collective/reduce_init.hpp>    // all ranks' data combined on one rank, prepared once
#include <topomp/collective/reduce_scatter.hpp> // all ranks' data combined, a block of the result for each rank
#include <topomp/collective/reduce_scatter_by_tree.hpp> // all ranks' data combined, a block of the result for each rank, along trees that the program names
#include <topomp/collective/reduce_scatter_init.hpp> // all ranks' data combined, a block for each, prepared once
#include <topomp/collective/reproducible.hpp> // sums that are the same for any number of ranks, placement and algorithm
#include <topomp/collective/request.hpp> // a collective that has started and goes on while the caller works
#include <topomp/collective/scan.hpp>    // each rank's data combined with that of all ranks before it
#include <topomp/collective/scan_by_tree.hpp> // each rank's data combined with that of all ranks before it, along trees that the program names
#include <topomp/collective/scan_init.hpp> // each rank's data combined with that of all before it, prepared once
#include <topomp/collective/scatter.hpp> // blocks of one length from one rank to all
#include <topomp/collective/scatter_by_tree.hpp> // blocks of one length from one rank to all, along trees that the program names
#include <topomp/collective/scatter_init.hpp> // blocks of one length from one rank, prepared once
#include <topomp/collective/scatterv.hpp>     // blocks of different lengths from one rank to all
#include <topomp/collective/scatterv_by_tree.hpp> // blocks of different lengths from one rank to all, along trees that the program names
#include <topomp/collective/scatterv_init.hpp> // blocks of different lengths from one rank, prepared once
#include <topomp/collective/serialized.hpp> // broadcast, gather, all_gather and scatter of values of any type that Boost.Serialization knows
#include <topomp/collective/wait.hpp> // waits for several requests

// Collectives whose result is once per node, in a window
#include <topomp/hybrid/all_gather.hpp>      // the data of all ranks, in the order of ranks, once per node
#include <topomp/hybrid/all_gather_init.hpp> // the data of all ranks to all ranks, once per node, prepared once
#include <topomp/hybrid/all_gatherv.hpp> // blocks of different lengths from all ranks, in the order of ranks, once per node
#include <topomp/hybrid/all_gatherv_init.hpp> // blocks of different lengths from all ranks to all ranks, once per node, prepared once
#include <topomp/hybrid/all_reduce.hpp> // all ranks' data combined, once per node
#include <topomp/hybrid/all_reduce_init.hpp> // all ranks' data combined on every rank, once per node, prepared once
#include <topomp/hybrid/all_to_all.hpp> // a block from each rank to each rank, out of shared windows into shared windows
#include <topomp/hybrid/all_to_all_init.hpp> // a block from each rank to each rank, once per node, prepared once
#include <topomp/hybrid/broadcast.hpp>       // one rank's data to all nodes, once per node
#include <topomp/hybrid/broadcast_init.hpp> // one rank's data to all, once per node, prepared once
#include <topomp/hybrid/gather.hpp>         // the data of all ranks, in the order of ranks, in one node
#include <topomp/hybrid/gather_init.hpp>    // blocks of one length to one rank, once per node, prepared once
#include <topomp/hybrid/iall_gather.hpp>    // the data of all ranks to all ranks, once per node, non-blocking
#include <topomp/hybrid/iall_gatherv.hpp> // blocks of different lengths from all ranks to all ranks, once per node, non-blocking
#include <topomp/hybrid/iall_reduce.hpp> // all ranks' data combined on every rank, once per node, non-blocking
#include <topomp/hybrid/iall_to_all.hpp> // a block from each rank to each rank, once per node, non-blocking
#include <topomp/hybrid/ibroadcast.hpp>  // one rank's data to all, once per node, non-blocking
#include <topomp/hybrid/igather.hpp>     // blocks of one length to one rank, once per node, non-blocking
#include <topomp/hybrid/ireduce.hpp>     // all ranks' data combined on one rank, once per node, non-blocking
#include <topomp/hybrid/iscatter.hpp>    // blocks of one length from one rank, once per node, non-blocking
#include <topomp/hybrid/policy.hpp>      // how the verbs whose results live once per node go about it
#include <topomp/hybrid/reduce.hpp>      // all ranks' data combined in one node
#include <topomp/hybrid/reduce_init.hpp> // all ranks' data combined on one rank, once per node, prepared once
#include <topomp/hybrid/reproducible.hpp> // sums that are the same for any number of ranks, once per node
#include <topomp/hybrid/scatter.hpp>      // a block to each rank out of one node's window
#include <topomp/hybrid/scatter_init.hpp> // blocks of one length from one rank, once per node, prepared once
#include <topomp/hybrid/window_view.hpp>  // a shared window as hybrid verbs see it, with its type forgotten

// Which rank has which cell of a grid, or is which vertex of a graph
#include <topomp/mapping/graph.hpp>       // a communicator for a graph whose neighbours share nodes
#include <topomp/mapping/graph_links.hpp> // the links of a graph's vertices, in the form that algorithms take
#include <topomp/mapping/graph_lists.hpp> // neighbour lists on their way
#include <topomp/mapping/graph_options.hpp> // what a communicator for a graph shall be like
#include <topomp/mapping/graph_plan.hpp>    // which rank is which vertex of a graph, worked out without MPI
#include <topomp/mapping/graph_request.hpp> // what a plan for a graph is asked for, and what it says
#include <topomp/mapping/grid.hpp>          // a Cartesian grid
#include <topomp/mapping/grid_candidates.hpp> // the ways of mapping a grid by name, and the choice of the best one
#include <topomp/mapping/grid_plan.hpp>       // which rank has which cell of a grid, worked out without MPI
#include <topomp/mapping/halo_exchange.hpp> // exchanges of halos on a `node_cart` that do not wait
#include <topomp/mapping/mapping_problem.hpp> // what a mapping has to solve, what it costs, and how two costs compare
#include <topomp/mapping/mapping_quality.hpp> // how good a mapping is
#include <topomp/mapping/node_cart.hpp>       // a Cartesian communicator whose neighbours share nodes
#include <topomp/mapping/node_cart_plan.hpp>  // the plan of a `node_cart`, made by one rank and known to all
#include <topomp/mapping/reordering.hpp>      // whether a new communicator may number its ranks anew
#include <topomp/mapping/stencil.hpp> // with which cells around it a cell exchanges data, and how much

// Exchanges with neighbours, and sparse exchanges
#include <topomp/neighbour/ineighbour_all_gather.hpp> // one block for all neighbours, non-blocking
#include <topomp/neighbour/ineighbour_all_to_all.hpp> // a block for each neighbour, non-blocking
#include <topomp/neighbour/isparse_exchange.hpp>      // non-blocking sparse exchange
#include <topomp/neighbour/neighbour_all_gather.hpp>  // one block for all neighbours, and the blocks of all
#include <topomp/neighbour/neighbour_all_gather_init.hpp> // one block for all neighbours, prepared once
#include <topomp/neighbour/neighbour_all_to_all.hpp> // a block of its own for each neighbour, and one from each
#include <topomp/neighbour/neighbour_all_to_all_init.hpp> // a block for each neighbour, prepared once
#include <topomp/neighbour/neighbourhood.hpp>   // sources and destinations, prepared for repeated exchanges
#include <topomp/neighbour/sparse_exchange.hpp> // sparse exchange: receivers do not know the senders in advance

// How long messages and collectives take, from measured parameters
#include <topomp/model/broadcast_time.hpp>       // how long broadcasts and reductions take
#include <topomp/model/concurrent_tree_time.hpp> // how long a tree takes whose ranks send to all children at a time
#include <topomp/model/exchange_time.hpp> // how long exchanges take in which all ranks send in each step
#include <topomp/model/flat_time.hpp>     // how long a tree takes that is built without levels
#include <topomp/model/hockney.hpp>       // Hockney's model
#include <topomp/model/least_time.hpp>    // what no algorithm can beat on a machine
#include <topomp/model/level_cost.hpp> // nested groups that are all alike, and what a message costs in each
#include <topomp/model/log_gp.hpp>     // the LogP model and its extension to long messages, LogGP
#include <topomp/model/machine_parameters.hpp> // the parameters of a machine as `topomp measure` finds them, and as a text that keeps them
#include <topomp/model/max_rate.hpp> // the max-rate model
#include <topomp/model/measured_messages.hpp> // what was measured about the messages of a level, as a model and as other models' parameters
#include <topomp/model/memory_costs.hpp>     // what collectives do in memory
#include <topomp/model/message_cost.hpp>     // what a message costs
#include <topomp/model/network_messages.hpp> // messages to near and far ranks
#include <topomp/model/plogp.hpp>            // the parameterised LogP model
#include <topomp/model/rounds_time.hpp>      // how long exchanges take in whose rounds several ranks meet
#include <topomp/model/table.hpp>            // tables by the length of messages
#include <topomp/model/tree_time.hpp>        // how long a message takes down a tree in segments
#include <topomp/model/usual_networks.hpp>   // parameters of usual networks
