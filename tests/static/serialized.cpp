// SPDX-License-Identifier: BSL-1.0
// A program may have a function of its own for vectors of a struct that nothing else serializes, beside
// Boost's for all vectors.
#include <topomp/collective/serialized.hpp>

#include <boost/serialization/split_free.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace static_tests {

struct sample {
    double weight = 0;
    std::string name;
};
struct unknown {
    std::string name;
};

} // namespace static_tests

namespace boost::serialization {

template <class Archive>
void save(Archive& to, const std::vector<static_tests::sample>& samples, const unsigned int) {
    const std::size_t size = samples.size();
    to << size;
    for (const auto& each : samples)
        to << each.weight << each.name;
}

template <class Archive>
void load(Archive& from, std::vector<static_tests::sample>& samples, const unsigned int) {
    std::size_t size = 0;
    from >> size;
    samples.resize(size);
    for (auto& each : samples)
        from >> each.weight >> each.name;
}

template <class Archive>
void serialize(Archive& archive, std::vector<static_tests::sample>& samples, const unsigned int version) {
    split_free(archive, samples, version);
}

} // namespace boost::serialization

namespace static_tests {

using samples = std::vector<sample>;
using unknowns = std::vector<unknown>;
static_assert(topo::detail::has_fit_elements<samples>);
static_assert(topo::detail::has_fit_elements<std::vector<samples>>);
static_assert(topo::detail::has_fit_elements<std::vector<std::vector<std::string>>>);
static_assert(!topo::detail::has_fit_elements<unknowns>);
static_assert(!topo::detail::has_fit_elements<std::vector<unknowns>>);

} // namespace static_tests
