// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/decide/impl/modelled.ipp>
#include <topomp/decide/impl/select.ipp>
