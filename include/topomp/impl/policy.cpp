// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/policy/impl/checked_call.ipp>
#include <topomp/policy/impl/modelled.ipp>
#include <topomp/policy/impl/policy_text.ipp>
#include <topomp/policy/impl/selection.ipp>
