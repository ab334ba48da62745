// SPDX-License-Identifier: BSL-1.0
// Poisson's equation in plain MPI: blocks on a Cartesian communicator, MPI_Sendrecv with the neighbours,
// MPI_Allreduce of the greatest change.
#include "poisson.hpp"

namespace {

class solver {
public:
    explicit solver(std::array<int, 2> dims) {
        constexpr std::array periods{0, 0};
        MPI_Comm made = MPI_COMM_NULL;
        MPI_Cart_create(MPI_COMM_WORLD, 2, dims.data(), periods.data(), 1, &made);
        grid_ = apps::owned_comm{made};
        MPI_Cart_shift(grid_, 0, 1, &above_, &below_);
        MPI_Cart_shift(grid_, 1, 1, &left_, &right_);
    }

    MPI_Comm comm() const { return grid_; }
    std::array<int, 2> coordinates() const {
        std::array<int, 2> result{};
        MPI_Cart_coords(grid_, apps::rank_in(grid_), 2, result.data());
        return result;
    }

    void operator()(poisson::block& mine, apps::progress& shown) {
        double change = 0;
        MPI_Datatype edge = MPI_DATATYPE_NULL;
        MPI_Type_vector(mine.rows(), 1, mine.stride(), MPI_DOUBLE, &edge);
        MPI_Type_commit(&edge);
        do {
            change = 0;
            for (const int colour : {0, 1}) {
                exchange(mine, edge);
                change = std::max(change, mine.relax(colour));
            }
            MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, grid_);
            shown.tick([&] { return poisson::progress_text(mine); });
        } while (mine.goes_on(change));
        MPI_Type_free(&edge);
    }

private:
    void exchange(poisson::block& mine, MPI_Datatype edge) const {
        const int rows = mine.rows(), columns = mine.columns();
        const auto shift = [&](double* out, int to, double* in, int from, int count, MPI_Datatype type) {
            MPI_Sendrecv(out, count, type, to, 0, in, count, type, from, 0, grid_, MPI_STATUS_IGNORE);
        };
        shift(mine.at(1, 1), above_, mine.at(rows + 1, 1), below_, columns, MPI_DOUBLE);
        shift(mine.at(rows, 1), below_, mine.at(0, 1), above_, columns, MPI_DOUBLE);
        shift(mine.at(1, 1), left_, mine.at(1, columns + 1), right_, 1, edge);
        shift(mine.at(1, columns), right_, mine.at(1, 0), left_, 1, edge);
    }

    apps::owned_comm grid_;
    int above_ = 0, below_ = 0, left_ = 0, right_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    poisson::options given;
    return poisson::main_of(
        argc, argv, "mpi",
        "Poisson's equation by red-black Gauss-Seidel, with MPI_Cart_create and MPI_Allreduce", given,
        [&](apps::command_line& line) { given.declare(line); },
        [&](std::array<int, 2> dims) { return solver{dims}; });
}
