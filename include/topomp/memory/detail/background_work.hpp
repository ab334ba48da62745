// SPDX-License-Identifier: BSL-1.0
/// @file
/// What a rank goes on with while it waits in shared memory for something else.
#pragma once

namespace topo::detail {

/// What was started on a hierarchy and is not complete. Others may need this rank for it, so that a rank that
/// waits for something else has to go on with it.
class background_work {
public:
    virtual ~background_work() = default;
    /// Whether there is nothing to do. @cost where nothing was started a load
    virtual bool is_empty() const noexcept = 0;
    /// Goes on as far as possible without waiting. What fails fails again where the program waits for it.
    virtual void go_on() noexcept = 0;
};

/// Where a rank that waits in shared memory finds the work of a hierarchy that it can advance meanwhile.
struct background_slot {
    background_work* work = nullptr; ///< null: there is none yet, or none any more

    /// Whether there is nothing to do.
    bool is_empty() const noexcept { return work == nullptr || work->is_empty(); }
    /// Goes on with what there is to do.
    void go_on() const noexcept {
        if (!is_empty()) work->go_on();
    }
};

} // namespace topo::detail
