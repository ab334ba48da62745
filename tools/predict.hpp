// SPDX-License-Identifier: BSL-1.0
/// @file
/// `topomp predict`: how long collectives should take with measured parameters.
#pragma once

#include <topomp/model/machine_parameters.hpp>

#include <string>
#include <vector>

namespace topo::tool {

/// The command line of `topomp predict`, read.
struct predict_request {
    std::string parameters; ///< a file of `topomp measure`
    std::string verb = "broadcast";
    std::vector<std::string> policies; ///< empty: all that are known for the verb
    double segment = 0;                ///< bytes, of trees; 0: one piece
    std::vector<double> bytes{8, 64, 512, 4096, 32768, 262144, 2097152};
};

/// The seconds of a verb by a policy, from rank 0. `bytes` is what the verb's benchmark calls so: the whole
/// message, or where every rank has something of its own for others, a block.
///
/// Policies are shapes or rules of shapes for one tree over all levels, such as `Cluster=chain,binomial`;
/// with `hierarchical:` before a shape from level to level, with `flat:` one tree over the ranks' numbers;
/// `split_binary`, `two_tree`; and exchanges, such as `ring`. @throws argument_error if there is no model of
/// it, with those of the verb
double predicted(const model::machine_parameters& machine, const std::string& verb, const std::string& policy,
                 double segment, double bytes);

/// Prints a line for each length and a column for each policy, in microseconds. Needs no MPI.
void predict(const predict_request& request);

} // namespace topo::tool
