// SPDX-License-Identifier: BSL-1.0
// A persistent collective in a loop; and `co_await` of a request, with the standard library alone: several
// chains of collectives go on at the same time, each written as if it waited.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <iostream>
#include <utility>
#include <vector>

//! [loop]
/// Waits for the requests of all coroutines, and resumes those whose requests are complete.
class event_loop {
public:
    void run() {
        while (true) {
            const auto done = topo::wait_any(pending_);
            if (done == pending_.end()) return;
            const auto which = done - pending_.begin();
            const auto next = waiting_[static_cast<std::size_t>(which)];
            pending_.erase(done);
            waiting_.erase(waiting_.begin() + which);
            next.resume();
        }
    }
    void add(topo::request one, std::coroutine_handle<> next) {
        pending_.push_back(std::move(one));
        waiting_.push_back(next);
    }

private:
    std::vector<topo::request> pending_;
    std::vector<std::coroutine_handle<>> waiting_;
};

/// What `co_await` waits for: the end of a request, which the loop takes over.
struct completion {
    event_loop& loop;
    topo::request& one;
    bool await_ready() { return one.test(); }
    void await_suspend(std::coroutine_handle<> next) { loop.add(std::move(one), next); }
    void await_resume() const noexcept {}
};

/// A coroutine for which only the loop waits.
struct chain_of_collectives {
    struct promise_type {
        chain_of_collectives get_return_object() { return {}; }
        std::suspend_never initial_suspend() { return {}; }
        std::suspend_never final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { std::terminate(); }
    };
};
//! [loop]

//! [chain]
chain_of_collectives powers(event_loop& loop, const topo::hierarchy& levels, int base, int steps) {
    int mine = 1, sum = 0;
    for (int i = 0; i < steps; ++i) {
        mine = base * (sum + 1);
        topo::request all_reduced = topo::iall_reduce(levels, mine, sum, std::plus<>{});
        co_await completion{loop, all_reduced};
    }
    if (levels.whole().rank() == 0) std::cout << "base " << base << ": " << sum << '\n';
}
//! [chain]

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    // Which chain goes on first may differ from rank to rank, and collectives of one hierarchy start in the
    // same order on all ranks: so each chain has a hierarchy of its own.
    const std::vector<topo::hierarchy> levels{topo::hierarchy{world}, topo::hierarchy{world},
                                              topo::hierarchy{world}};
    int mine = 0, sum = 0, total = 0;
    {
        //! [persistent]
        auto step = topo::all_reduce_init(levels.front(), mine, sum, std::plus<>{});
        for (int i = 0; i < 100; ++i) {
            mine = world.rank() + i;
            step.start(); // local
            step.wait();  // inactive again: `mine` may be changed, `sum` be read
            total += sum;
        }
        //! [persistent]
    }
    if (world.rank() == 0) std::cout << "total of 100 sums: " << total << '\n';

    event_loop loop;
    for (int base = 1; base <= 3; ++base)
        powers(loop, levels[static_cast<std::size_t>(base - 1)], base, 3);
    loop.run();
}
