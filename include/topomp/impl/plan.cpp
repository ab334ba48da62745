// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/plan/impl/checked_call.ipp>
#include <topomp/plan/impl/plan_reader.ipp>
#include <topomp/plan/impl/plan_text.ipp>
#include <topomp/plan/impl/policy_tree.ipp>
