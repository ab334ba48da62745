// SPDX-License-Identifier: BSL-1.0
// Hierarchical processing of vectors in plain MPI: the user says how many ranks meet on each level.
#include "vectors.hpp"

#include <array>

namespace {

/// Paper 1's H_conf1 to H_conf4, for 576 ranks.
const std::array<std::vector<int>, 4> configurations{
    {{3, 4, 2, 3, 8}, {6, 2, 2, 3, 8}, {3, 2, 2, 8, 6}, {3, 2, 4, 6, 4}}};

/// @param sizes how many meet on each level, outermost first
vectors::hierarchy make(const std::vector<int>& sizes) {
    const int rank = apps::rank_in(MPI_COMM_WORLD), ranks = apps::size_of(MPI_COMM_WORLD);
    std::int64_t product = 1;
    for (const int size : sizes)
        product = std::min(product * size, std::int64_t{1} << 32);
    if (product != ranks)
        throw apps::refused("levels of " + std::to_string(product) + " ranks: this run has " +
                            std::to_string(ranks));
    vectors::hierarchy made;
    int inside = 1; // ranks of what is one member on this level
    for (auto size = sizes.rbegin(); size != sizes.rend(); inside *= *size, ++size) {
        made.mine.push_back(
            apps::split(MPI_COMM_WORLD, rank % inside == 0 ? rank / (inside * *size) : MPI_UNDEFINED));
        for (int first = 0; first < ranks; first += inside * *size) {
            auto& group = made.all.emplace_back();
            for (int member = 0; member < *size; ++member)
                group.push_back(first + member * inside);
        }
    }
    made.told = {{"levels", sizes}};
    return made;
}

} // namespace

int main(int argc, char** argv) {
    vectors::options given;
    std::vector<int> sizes;
    int configuration = 0;
    return vectors::main_of(
        argc, argv, "by_hand", "vectors processed through a hierarchy that is given by hand", given,
        [&](apps::command_line& line) {
            given.declare(line);
            const auto levels = line.add_unset("--levels", sizes,
                                               "how many ranks meet on each level, outermost first, such as "
                                               "3,4,2,3,8; all at once if not given")
                                    .range(1, 1 << 24);
            line.add_unset("--configuration", configuration, "paper 1's H_conf1 to H_conf4, for 576 ranks")
                .range(1, 4)
                .excludes(levels);
        },
        [&] {
            if (configuration > 0) return make(configurations[static_cast<std::size_t>(configuration - 1)]);
            return make(sizes.empty() ? std::vector{apps::size_of(MPI_COMM_WORLD)} : sizes);
        });
}
