// SPDX-License-Identifier: BSL-1.0
// Reductions of structs by an operation of one's own, in the order of ranks or in any, and of a derived
// datatype by an MPI_Op.
#include <topomp/topomp.hpp>

#include <boost/mpi/environment.hpp>

#include <array>
#include <iostream>

//! [struct]
/// The function x -> factor x + summand.
struct affine {
    double factor, summand;
    template <class Archive>
    void serialize(Archive& archive, unsigned) { // from which Boost.MPI makes the datatype
        archive& factor& summand;
    }
};
BOOST_IS_MPI_DATATYPE(affine)

struct then { // associative and without state; it does not commute
    affine operator()(const affine& first, const affine& second) const {
        return {second.factor * first.factor, second.factor * first.summand + second.summand};
    }
};
//! [struct]

//! [commutes]
struct add_both {
    affine operator()(const affine& a, const affine& b) const {
        return {a.factor + b.factor, a.summand + b.summand};
    }
};
template <>
struct boost::mpi::is_commutative<add_both, affine> : std::true_type {};
//! [commutes]

//! [mpi_op]
/// Adds the first integer of each pair. MPI calls it with elements as the datatype lays them out.
void add_first(void* lower, void* upper, int* count, MPI_Datatype*) {
    for (int i = 0; i < 2 * *count; i += 2)
        static_cast<int*>(upper)[i] += static_cast<int*>(lower)[i];
}
//! [mpi_op]

int main(int argc, char** argv) {
    const boost::mpi::environment mpi{argc, argv};
    const boost::mpi::communicator world;
    const topo::hierarchy levels{world};

    //! [use]
    const affine mine{2, static_cast<double>(world.rank())};
    const affine all = topo::all_reduce(levels, mine, then{});                           // rank 0's first
    const affine sum = topo::all_reduce(levels, mine, add_both{}, topo::rabenseifner{}); // in any order
    //! [use]

    //! [derived]
    std::array<int, 6> pairs{1, 10, 2, 20, 3, 30};
    MPI_Datatype first_of_pair = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &first_of_pair);
    MPI_Type_commit(&first_of_pair);
    MPI_Op add = MPI_OP_NULL;
    MPI_Op_create(&add_first, 1, &add); // 1: it commutes
    topo::all_reduce(levels, MPI_IN_PLACE, topo::message{pairs.data(), 3, first_of_pair}, add);
    MPI_Op_free(&add);
    MPI_Type_free(&first_of_pair);
    //! [derived]

    if (world.rank() != 0) return 0;
    std::cout << "composed " << all.factor << ' ' << all.summand << ", sum " << sum.factor << ' '
              << sum.summand << ", pairs";
    for (const int each : pairs)
        std::cout << ' ' << each;
    std::cout << '\n';
}
