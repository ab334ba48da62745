// SPDX-License-Identifier: BSL-1.0
// Poisson's equation in MPI and OpenMP: as mpi.cpp, with a rank for several cores, whose threads share its
// rows.
#include "poisson.hpp"

namespace {

class solver {
public:
    solver(std::array<int, 2> dims, int threads) : threads_(threads) {
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
                change = std::max(change, relax(mine, colour));
            }
            MPI_Allreduce(MPI_IN_PLACE, &change, 1, MPI_DOUBLE, MPI_MAX, grid_);
            shown.tick([&] { return poisson::progress_text(mine); });
        } while (mine.goes_on(change));
        MPI_Type_free(&edge);
    }

private:
    /// In a simulation one thread computes for all, and their common time is charged.
    double relax(poisson::block& mine, int colour) const {
        const double start = PMPI_Wtime();
        double greatest = 0;
        const int threads = apps::is_simulated ? 1 : threads_;
#pragma omp parallel for schedule(static) reduction(max : greatest) num_threads(threads)
        for (int row = 1; row <= mine.rows(); ++row)
            greatest = std::max(greatest, mine.relax_row(colour, row));
        mine.has_relaxed(start, threads_);
        return greatest;
    }

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

    int threads_;
    apps::owned_comm grid_;
    int above_ = 0, below_ = 0, left_ = 0, right_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    poisson::options given;
    int threads = 2;
    return poisson::main_of(
        argc, argv, "openmp",
        "Poisson's equation by red-black Gauss-Seidel, with MPI between and OpenMP inside ranks", given,
        [&](apps::command_line& line) {
            given.declare(line);
            line.add("--threads", threads, "of each rank").range(1, 1024);
        },
        [&](std::array<int, 2> dims) {
            return solver{dims, threads};
        });
}
