// SPDX-License-Identifier: BSL-1.0
// Matrix multiplication by SUMMA in plain MPI: MPI_Bcast along the rows and columns of processes.
#include "summa.hpp"

namespace {

class multiplication {
public:
    explicit multiplication(const summa::problem& of) : of_(of), row_(of.row()), column_(of.column()) {
        for (const summa::panel& each : of.panels) {
            a_.resize(std::max(a_.size(), static_cast<std::size_t>(of.a_count(each))));
            b_.resize(std::max(b_.size(), static_cast<std::size_t>(of.b_count(each))));
        }
    }

    void operator()(summa::blocks& mine) {
        for (const summa::panel& each : of_.panels) {
            double* const a = of_.has_a(each) ? mine.a_panel(each) : a_.data();
            double* const b = of_.has_b(each) ? mine.b_panel(each) : b_.data();
            MPI_Bcast(a, of_.a_count(each), MPI_DOUBLE, each.a_owner, row_);
            MPI_Bcast(b, of_.b_count(each), MPI_DOUBLE, each.b_owner, column_);
            mine.add_product(a, b, each.width);
        }
    }

private:
    const summa::problem& of_;
    apps::owned_comm row_, column_;
    std::vector<double> a_, b_;
};

} // namespace

int main(int argc, char** argv) {
    summa::options given;
    return summa::main_of(
        argc, argv, "mpi", "C = A B by SUMMA, with MPI_Bcast along rows and columns of processes", given,
        [&](apps::command_line& line) { given.declare(line); },
        [&](const summa::problem& of) { return multiplication{of}; });
}
