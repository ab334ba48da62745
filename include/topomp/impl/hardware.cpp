// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/hardware/impl/cpu_set.ipp>
#include <topomp/hardware/impl/hostlist.ipp>
#include <topomp/hardware/impl/machine.ipp>
#include <topomp/hardware/impl/machine_description.ipp>
#include <topomp/hardware/impl/network.ipp>
#include <topomp/hardware/impl/network_files.ipp>
#include <topomp/hardware/impl/network_value.ipp>
#include <topomp/hardware/impl/place.ipp>
#include <topomp/hardware/impl/placement.ipp>
#include <topomp/hardware/impl/slurm_address.ipp>
#include <topomp/hardware/impl/slurm_conf.ipp>
#include <topomp/hardware/impl/slurm_conf_line.ipp>
#include <topomp/hardware/impl/switch_file.ipp>
#include <topomp/hardware/impl/switch_table.ipp>
#include <topomp/hardware/impl/switch_tree.ipp>
#include <topomp/hardware/impl/text_file.ipp>
#include <topomp/hardware/impl/topology.ipp>
