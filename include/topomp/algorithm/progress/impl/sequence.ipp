// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <topomp/algorithm/progress/operation.hpp>
#include <topomp/algorithm/progress/sequence.hpp>
#include <topomp/core/detail/inline.hpp>

namespace topo::detail {

TOPOMP_INLINE bool sequence::advance() {
    while (true) {
        if (!has_ended_part()) return false;
        if (next_ == parts_.size()) return true;
        lends_memory_ = true; // for good if this throws: the part may have posted messages
        part_ = parts_[next_++]();
        lends_memory_ = false;
    }
}

} // namespace topo::detail
