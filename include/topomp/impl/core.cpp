// SPDX-License-Identifier: BSL-1.0
// Of topomp::compiled.
#include <topomp/core/detail/checked.hpp>
#include <topomp/core/impl/agreement.ipp>
#include <topomp/core/impl/argument_checks.ipp>
#include <topomp/core/impl/attachments.ipp>
#include <topomp/core/impl/attribute.ipp>
#include <topomp/core/impl/comparison.ipp>
#include <topomp/core/impl/copy_bytes.ipp>
#include <topomp/core/impl/device_memory.ipp>
#include <topomp/core/impl/elements.ipp>
#include <topomp/core/impl/error.ipp>
#include <topomp/core/impl/finalize.ipp>
#include <topomp/core/impl/hash.ipp>
#include <topomp/core/impl/integers.ipp>
#include <topomp/core/impl/message.ipp>
#include <topomp/core/impl/mpi.ipp>
#include <topomp/core/impl/predefined_reduction.ipp>
#include <topomp/core/impl/signature.ipp>
#include <topomp/core/impl/type_order.ipp>
#include <topomp/core/impl/usable.ipp>

#include <type_traits>

namespace topo::detail {

void compiled_with_checks(std::bool_constant<is_checked>) {}

} // namespace topo::detail
