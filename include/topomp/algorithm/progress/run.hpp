// SPDX-License-Identifier: BSL-1.0
/// @file
/// An operation from its start to its end.
#pragma once

#include <topomp/algorithm/progress/in_flight.hpp>
#include <topomp/algorithm/progress/operation.hpp>

#include <memory>
#include <utility>

namespace topo::detail {

/// Starts an operation from the pool, waits for its end and returns it to the pool.
template <class Operation, class Start>
void run(operation_pool<Operation>& pool, Start start) {
    const in_flight::turn alone{pool.others()};
    auto running = take_started(pool, start);
    try {
        pool.others().wait(*running);
    } catch (...) {
        give_up(std::move(running), pool.others().left);
        throw;
    }
    pool.give_back(std::move(running));
}

/// An operation that is under way while its call does something else; or none. A rank that waits for a
/// value in the memory of the hierarchy's node advances it meanwhile.
class started {
public:
    started() = default;
    template <class Operation, class Start>
    started(operation_pool<Operation>& pool, Start start) : started() {
        const in_flight::turn alone{pool.others()};
        others_ = &pool.others();
        pool_ = &pool;
        give_back_ = &give_back_to_pool<Operation>;
        running_ = take_started(pool, start);
        others_->begin(*running_);
    }
    started(started&& other) noexcept { swap(other); }
    started& operator=(started&& other) noexcept {
        swap(other);
        return *this;
    }
    started(const started&) = delete;
    started& operator=(const started&) = delete;
    ~started() { // only a failure leaves it under way
        if (running_ == nullptr) return;
        others_->remove(*running_);
        give_up(std::move(running_), others_->left);
    }

    /// Waits for its end; then there is none.
    void finish() {
        if (running_ == nullptr) return;
        const in_flight::turn alone{*others_};
        others_->wait(*running_);
        others_->remove(*running_);
        give_back_(pool_, std::move(running_));
    }

private:
    void swap(started& other) noexcept {
        std::swap(others_, other.others_);
        std::swap(pool_, other.pool_);
        std::swap(give_back_, other.give_back_);
        std::swap(running_, other.running_);
    }

    in_flight* others_ = nullptr;
    void* pool_ = nullptr;
    void (*give_back_)(void*, std::unique_ptr<operation>) = nullptr;
    std::unique_ptr<operation> running_;
};

/// Runs an engine for a blocking verb. `in_background` does so for a nonblocking one.
struct to_the_end {
    using result = void;
    static constexpr bool waits = true;

    template <class Operation, class Start>
    void operator()(operation_pool<Operation>& pool, Start start) const {
        run(pool, start);
    }
};

} // namespace topo::detail
