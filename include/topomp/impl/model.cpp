// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/model/impl/broadcast_time.ipp>
#include <topomp/model/impl/concurrent_tree_time.ipp>
#include <topomp/model/impl/least_time.ipp>
#include <topomp/model/impl/log_gp.ipp>
#include <topomp/model/impl/machine_parameters.ipp>
#include <topomp/model/impl/measured_messages.ipp>
#include <topomp/model/impl/network_messages.ipp>
#include <topomp/model/impl/plogp.ipp>
