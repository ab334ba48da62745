// SPDX-License-Identifier: BSL-1.0
// A program may have a function of its own for vectors of a struct that nothing else serializes, beside
// Boost's for all vectors.
#include <topomp/collective/serialized.hpp>
#include <topomp/core/serializable.hpp>
#include <topomp/hierarchy/hierarchy.hpp>

#include <boost/serialization/access.hpp>
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
static_assert(topo::serializable<samples>);
static_assert(topo::serializable<std::vector<std::vector<std::string>>>);
static_assert(!topo::serializable<unknown>);

// Kinds of serialization that a program may have, at any depth.
class by_private_member {
    friend class boost::serialization::access;
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& name_;
    }
    std::string name_;
};
class inherited : public by_private_member {};
struct final_class final {
    template <class Archive>
    void serialize(Archive&, unsigned) {}
};
enum class colour { red };
struct of_all {
    std::vector<samples> a;
    std::vector<by_private_member> b;
    std::vector<inherited> c;
    std::vector<final_class> d;
    std::vector<colour> e;
    std::vector<std::vector<bool>> f;
    template <class Archive>
    void serialize(Archive& archive, unsigned) {
        archive& a& b& c& d& e& f;
    }
};
[[maybe_unused]] static void call(const topo::hierarchy& levels, of_all& all) {
    topo::broadcast(levels, all, 0);
}

} // namespace static_tests
