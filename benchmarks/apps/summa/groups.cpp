// SPDX-License-Identifier: BSL-1.0
// Matrix multiplication by SUMMA in plain MPI, with broadcasts in two steps: between groups of processes that
// are given by hand, then inside them. What paper 1 (section 7.3) calls hierarchical, xgroups.
#include "summa.hpp"

namespace {

/// The processes of a row or column in groups of one size.
class grouped_line {
public:
    grouped_line(apps::owned_comm line, int groups)
        : width_(apps::size_of(line) / groups), group_(apps::split(line, apps::rank_in(line) / width_)),
          between_(apps::split(line, apps::rank_in(line) % width_)), place_(apps::rank_in(group_)) {}

    void broadcast(double* data, int count, int root) const {
        if (place_ == root % width_) MPI_Bcast(data, count, MPI_DOUBLE, root / width_, between_);
        MPI_Bcast(data, count, MPI_DOUBLE, root % width_, group_);
    }

private:
    int width_;
    apps::owned_comm group_;
    apps::owned_comm between_; ///< those with the same place in their groups
    int place_;
};

class multiplication {
public:
    multiplication(const summa::problem& of, std::array<int, 2> groups)
        : of_(of), row_(of.row(), groups[1]), column_(of.column(), groups[0]) {
        for (const summa::panel& each : of.panels) {
            a_.resize(std::max(a_.size(), static_cast<std::size_t>(of.a_count(each))));
            b_.resize(std::max(b_.size(), static_cast<std::size_t>(of.b_count(each))));
        }
    }

    void operator()(summa::blocks& mine) {
        for (const summa::panel& each : of_.panels) {
            double* const a = of_.has_a(each) ? mine.a_panel(each) : a_.data();
            double* const b = of_.has_b(each) ? mine.b_panel(each) : b_.data();
            row_.broadcast(a, of_.a_count(each), each.a_owner);
            column_.broadcast(b, of_.b_count(each), each.b_owner);
            mine.add_product(a, b, each.width);
        }
    }

private:
    const summa::problem& of_;
    grouped_line row_, column_;
    std::vector<double> a_, b_;
};

std::array<int, 2> read_groups(const std::string& text, std::array<int, 2> dims) {
    const auto groups = apps::read_extents("--groups", text);
    for (std::size_t i = 0; i < 2; ++i)
        if (groups[i] == 0 || dims[i] % groups[i] != 0)
            throw apps::refused("--groups " + text + ": does not divide the grid of " +
                                std::to_string(dims[0]) + 'x' + std::to_string(dims[1]) + " processes");
    return groups;
}

} // namespace

int main(int argc, char** argv) {
    summa::options given;
    std::string groups = "1x1";
    return summa::main_of(
        argc, argv, "groups",
        "C = A B by SUMMA, with broadcasts between and inside groups that are given by hand", given,
        [&](apps::command_line& line) {
            given.declare(line);
            line.add("--groups", groups, "groups along the rows and the columns of processes, such as 2x2");
        },
        [&](const summa::problem& of) {
            return multiplication{of, read_groups(groups, of.dims)};
        });
}
