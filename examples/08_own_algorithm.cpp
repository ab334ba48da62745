// SPDX-License-Identifier: BSL-1.0
// An algorithm of one's own inside a level: any type with the functions that the verbs ask for.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <functional>
#include <iostream>
#include <sstream>

//! [algorithm]
/// Numbers that the members of a level leave for each other in memory that they share.
struct shared_numbers {
    explicit shared_numbers(const boost::mpi::communicator& members) {
        void* own = nullptr;
        MPI_Win_allocate_shared(sizeof(long), sizeof(long), MPI_INFO_NULL, members, &own, &window);
        MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
    }
    ~shared_numbers() {
        if (!topo::mpi::is_running()) return;
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    long& of(int member) const {
        MPI_Aint bytes = 0;
        int unit = 0;
        long* number = nullptr;
        MPI_Win_shared_query(window, member, &bytes, &unit, static_cast<void*>(&number));
        return *number;
    }
    void meet(const boost::mpi::communicator& members) const { // all have come, and see what all have written
        MPI_Win_sync(window);
        MPI_Barrier(members);
        MPI_Win_sync(window);
    }
    MPI_Win window = MPI_WIN_NULL;
};

/// Broadcasts one number; other messages are the MPI's.
struct through_memory {
    static void broadcast(topo::level_members& here, topo::message what, int root) {
        if (what.type != MPI_LONG || what.count != 1) return topo::mpi_calls::broadcast(here, what, root);
        auto& numbers = here.attached<shared_numbers>(); // made at the first call, freed with the hierarchy
        long& value = *static_cast<long*>(what.data);
        if (here.rank() == root) numbers.of(root) = value;
        numbers.meet(here);
        value = numbers.of(root);
        numbers.meet(here); // the next call may write
    }
};
//! [algorithm]

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};

    //! [use]
    using policy =
        topo::hierarchical<topo::within<topo::kind::machine, through_memory>, // all ranks of a node
                           topo::otherwise<topo::mpi_calls>>;                 // between nodes
    long value = world.rank() == 2 ? 42 : 0;
    topo::broadcast(levels, value, 2, policy{});
    // topo::all_reduce does not compile with this policy, and the compiler says what through_memory lacks.
    //! [use]

    std::ostringstream out;
    out << world.rank() << ": value " << value << '\n';
    std::cout << out.str() << std::flush;
}
