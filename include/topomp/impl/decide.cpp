// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/decide/impl/adaptive.ipp>
#include <topomp/decide/impl/adaptive_choice.ipp>
#include <topomp/decide/impl/automatic.ipp>
#include <topomp/decide/impl/decide.ipp>
#include <topomp/decide/impl/decisions.ipp>
#include <topomp/decide/impl/explain.ipp>
#include <topomp/decide/impl/flat_json.ipp>
#include <topomp/decide/impl/machine_costs.ipp>
#include <topomp/decide/impl/probe.ipp>
#include <topomp/decide/impl/read_sources.ipp>
#include <topomp/decide/impl/select.ipp>
#include <topomp/decide/impl/tuning.ipp>
#include <topomp/decide/impl/tuning_file.ipp>
