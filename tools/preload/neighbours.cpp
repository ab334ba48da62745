// SPDX-License-Identifier: BSL-1.0
/// @file
/// Neighbor_allgather(v) and Neighbor_alltoall(v, w) in all their forms.
#include "degrees.hpp"
#include "devices.hpp"
#include "forms.hpp"
#include "intercept.hpp"
#include "intercepted.hpp"
#include "kept.hpp"
#include "located.hpp"
#include "started.hpp"
#include "typed_side.hpp"
#include <topomp/neighbour/detail/exchange_in_background.hpp>
#include <topomp/neighbour/neighbourhood.hpp>

#include <algorithm>
#include <forward_list>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace topo::preload {

namespace {

/// Whether the MPI's own blocking calls match several links between two ranks in another order than topomp,
/// which keeps the order of the lists of neighbours, and in grids of one or two cells sends what goes down to
/// where it arrives from above, as MPI 4.0 says in section 8.6. MPICH (4.0.2) reverses the order in
/// Neighbor_alltoall, and not in Neighbor_alltoallv. Calls that do not block are in Open MPI (4.1.4) another
/// matter: in grids their messages match in the order of the lists.
#ifdef MPICH_VERSION
constexpr bool orders_links_otherwise = true;
#else
constexpr bool orders_links_otherwise = false;
#endif

/// A message for each neighbour, in memory that a thread keeps.
struct neighbour_messages {
    std::vector<message> out, in;

    static neighbour_messages& of_thread() {
        static thread_local neighbour_messages mine;
        return mine;
    }
};

/// @param is_same whether all neighbours have the first block
void list_messages(const blocks& all, int neighbours, bool is_same, std::vector<message>& list) {
    list.clear();
    if (neighbours == 0) return;
    const detail::type_layout layout{all.type};
    for (int i = 0; i < neighbours; ++i)
        list.push_back(all.block_of(is_same ? 0 : i, layout));
}

// A side of a call on which the rank has no neighbours is not looked at: MPIs differ in whether they do, and
// other ranks rely on this one.

/// What a rank gives to its neighbours or gets from them, in blocks of one length.
struct equal_side {
    const void* data;
    MPI_Count count;
    MPI_Datatype type;

    bool is_accepted(int neighbours) const { return neighbours == 0 || accepts(data, count, type); }
    std::uint64_t bytes(int neighbours) const {
        return static_cast<std::uint64_t>(neighbours) * bytes_or_zero(count, type);
    }
    located place(int neighbours) const {
        return {data, neighbours == 0 ? std::size_t{0} : static_cast<std::size_t>(count), type};
    }
    void list(const located& there, int neighbours, bool is_same, std::vector<message>& messages) const {
        list_messages({there.data(), there.type(), static_cast<std::size_t>(count)}, neighbours, is_same,
                      messages);
    }
    void add_types(int neighbours, std::vector<MPI_Datatype*>& all) {
        if (neighbours > 0) all.push_back(&type);
    }
};

/// The same with a length for each.
struct unequal_side {
    const void* data;
    number_list counts, displacements;
    MPI_Datatype type;

    bool is_accepted(int neighbours) const {
        return neighbours == 0 || accepts(data, counts, displacements, type, neighbours);
    }
    std::uint64_t bytes(int neighbours) const {
        std::uint64_t sum = 0;
        for (int i = 0; i < neighbours; ++i)
            sum += bytes_or_zero(counts[i], type);
        return sum;
    }
    located place(int neighbours) const { return {data, neighbours == 0 ? 0U : 1U, type}; }
    void list(const located& there, int neighbours, bool is_same, std::vector<message>& messages) const {
        auto& kept = kept_arrays::of_thread().first;
        kept.set(counts, displacements, neighbours);
        list_messages({there.data(), there.type(), 0, kept.counts, kept.positions}, neighbours, is_same,
                      messages);
    }
    void add_types(int neighbours, std::vector<MPI_Datatype*>& all) {
        if (neighbours > 0) all.push_back(&type);
    }
};

/// The same with a datatype for each.
struct typed_neighbour_side : typed_side {
    std::shared_ptr<std::vector<MPI_Datatype>> kept; ///< of a persistent call, in place of the program's

    static std::forward_list<located> place(int) { return {}; }
    void list(std::forward_list<located>& moved, int neighbours, bool, std::vector<message>& messages) const {
        messages.clear();
        for (int i = 0; i < neighbours; ++i)
            messages.push_back(block(i, moved));
    }
    void add_types(int neighbours, std::vector<MPI_Datatype*>& all) {
        kept = std::make_shared<std::vector<MPI_Datatype>>(types, types + neighbours);
        types = kept->data();
        for (int i = 0; i < neighbours; ++i)
            if (counts[i] > 0) all.push_back(&(*kept)[static_cast<std::size_t>(i)]);
    }
};

/// The first that is not empty.
message first_with_data(const std::vector<message>& list) {
    const auto found = std::ranges::find_if(list, [](const message& each) { return each.count != 0; });
    return found == list.end() ? message{} : *found;
}

/// Lets the types of messages last as long as a call.
void keep_types(std::vector<message>& list, background_call& call) {
    MPI_Datatype before = MPI_DATATYPE_NULL, kept = before;
    for (message& each : list) {
        if (each.type != before) kept = call.keep(each.type);
        before = std::exchange(each.type, kept);
    }
}

/// A call in any of its forms, as started.hpp says.
template <neighbour_call What, class Given, class Received>
struct neighbour_exchange {
    static constexpr neighbour_call what = What;
    static constexpr bool is_gather =
        what == neighbour_call::all_gather || what == neighbour_call::all_gatherv;
    static constexpr bool is_equal = std::is_same_v<Received, equal_side>;
    Given given;
    Received received;
    MPI_Comm comm;

    bool is_accepted() const {
        const degrees all{comm};
        return all.is_topology && given.is_accepted(all.out) && received.is_accepted(all.in);
    }
    std::uint64_t bytes() const { return received.bytes(degrees{comm}.in); }
    std::vector<MPI_Datatype*> types(int) {
        const degrees on{comm};
        std::vector<MPI_Datatype*> all;
        given.add_types(on.out, all);
        received.add_types(on.in, all);
        return all;
    }

    /// Calls `f` with the messages of both sides. The communicator may be freed.
    template <class F>
    auto with_messages(const neighbourhood& links, F f) const {
        const auto in = static_cast<int>(links.sources().size()),
                   out = static_cast<int>(links.destinations().size());
        auto own = given.place(out), there = received.place(in);
        auto& lists = neighbour_messages::of_thread();
        given.list(own, out, is_gather, lists.out);
        received.list(there, in, false, lists.in);
        return f(lists);
    }

    /// Whether the MPI's own call would give other results.
    static bool is_reordered(const known_neighbours& known, bool blocks) {
        return !is_gather && known.has_several_links && (orders_links_otherwise || !blocks);
    }

    /// The blocking form. @return as for `intercept`
    bool exchange(const hierarchy& levels) const {
        const known_neighbours& known = neighbours_on(comm);
        if (is_reordered(known, true)) return left_for(reason::several_links);
        return with_messages(known.links, [&](const neighbour_messages& lists) {
            if (any_on_device(comm, levels, {first_with_data(lists.out), first_with_data(lists.in)}))
                return false;
            known.links.exchange("neighbours", lists.out, lists.in, is_gather, is_equal);
            return true;
        });
    }

    std::optional<plan> choose(const background_ranks& on) const {
        const neighbourhood& links = on.neighbours->links;
        if (is_reordered(*on.neighbours, false)) return left_to_mpi(reason::several_links);
        // A message for each link is what the MPI's own does.
        if (process::self().policy.is_automatic() &&
            (is_gather ? links.direct_from_in_gather() : links.direct_from()) == 0)
            return left_to_mpi(reason::choice);
        return plan{};
    }
    void start(const starter& go, const plan&) const {
        const neighbourhood& links = go.neighbours()->links;
        auto call = fresh_call();
        call->kept = go.neighbours();
        auto prepared = with_messages(links, [&](neighbour_messages& lists) {
            keep_types(lists.out, *call);
            keep_types(lists.in, *call);
            return detail::neighbours_in_background::prepare(links, "neighbours", lists.out, lists.in,
                                                             is_gather, is_equal, false);
        });
        if (const auto* const own = go.own_tags())
            prepared.operation->use_tags({own->first, own->first + 3, own->number - 3});
        go(std::move(call), [&](detail::context&, background_call& it) {
            auto& started = *prepared.operation;
            it.running = std::move(prepared.operation);
            it.give_back = [](detail::context&, std::unique_ptr<detail::operation>) {};
            started.start();
        });
    }
};

// With the MPI's arguments in its order.

struct neighbour_all_gather : neighbour_exchange<neighbour_call::all_gather, equal_side, equal_side> {
    neighbour_all_gather(const void* mine, MPI_Count count, MPI_Datatype type, void* all, MPI_Count each,
                         MPI_Datatype all_type, MPI_Comm among)
        : neighbour_exchange{{mine, count, type}, {all, each, all_type}, among} {}
};

struct neighbour_all_gatherv : neighbour_exchange<neighbour_call::all_gatherv, equal_side, unequal_side> {
    neighbour_all_gatherv(const void* mine, MPI_Count count, MPI_Datatype type, void* all, number_list counts,
                          number_list displacements, MPI_Datatype all_type, MPI_Comm among)
        : neighbour_exchange{{mine, count, type}, {all, counts, displacements, all_type}, among} {}
};

struct neighbour_all_to_all : neighbour_exchange<neighbour_call::all_to_all, equal_side, equal_side> {
    neighbour_all_to_all(const void* from, MPI_Count from_each, MPI_Datatype from_type, void* to,
                         MPI_Count to_each, MPI_Datatype to_type, MPI_Comm among)
        : neighbour_exchange{{from, from_each, from_type}, {to, to_each, to_type}, among} {}
};

struct neighbour_all_to_allv : neighbour_exchange<neighbour_call::all_to_allv, unequal_side, unequal_side> {
    neighbour_all_to_allv(const void* from, number_list from_counts, number_list from_displacements,
                          MPI_Datatype from_type, void* to, number_list to_counts,
                          number_list to_displacements, MPI_Datatype to_type, MPI_Comm among)
        : neighbour_exchange{{from, from_counts, from_displacements, from_type},
                             {to, to_counts, to_displacements, to_type},
                             among} {}
};

struct neighbour_all_to_allw
    : neighbour_exchange<neighbour_call::all_to_allw, typed_neighbour_side, typed_neighbour_side> {
    neighbour_all_to_allw(const void* from, number_list from_counts, const MPI_Aint* from_displacements,
                          const MPI_Datatype* from_types, void* to, number_list to_counts,
                          const MPI_Aint* to_displacements, const MPI_Datatype* to_types, MPI_Comm among)
        : neighbour_exchange{{{from, from_counts, from_displacements, from_types}, {}},
                             {{to, to_counts, to_displacements, to_types}, {}},
                             among} {}
};

/// A whole intercepted blocking call. @param own as for `intercept`
template <class Call, class Own>
int serve_neighbours(const Call& call, Own own) noexcept {
    constexpr std::size_t line = index_of(Call::what);
    return intercept(
        line, process::self().asked.verbs[line], call.comm, [&] { return call.bytes(); },
        [&] { return call.is_accepted(); }, [&](const hierarchy& levels) { return call.exchange(levels); },
        own);
}

} // namespace

} // namespace topo::preload

using namespace topo::preload; // NOLINT(google-build-using-namespace): the functions below are C's

// NOLINTBEGIN(bugprone-macro-parentheses): types have none
#define TOPOMP_SERVE_NEIGHBOURS(function, call, arguments)                                                   \
    TOPOMP_INTERCEPT(function, arguments,                                                                    \
                     return serve_neighbours(call{BOOST_PP_ENUM_PARAMS(arguments, a)},                       \
                                             [&] { return function(BOOST_PP_ENUM_PARAMS(arguments, a)); });)
#define TOPOMP_NEIGHBOUR_FORMS(name, call, arguments)                                                        \
    TOPOMP_SERVE_NEIGHBOURS(MPI_Neighbor_##name, call, arguments)                                            \
    TOPOMP_IF_LARGE(TOPOMP_SERVE_NEIGHBOURS(MPI_Neighbor_##name##_c, call, arguments))                       \
    TOPOMP_STARTED_FORMS(Neighbor_##name, Ineighbor_##name, call, arguments)
// NOLINTEND(bugprone-macro-parentheses)

extern "C" {

TOPOMP_NEIGHBOUR_FORMS(allgather, neighbour_all_gather, 7)
TOPOMP_NEIGHBOUR_FORMS(allgatherv, neighbour_all_gatherv, 8)
TOPOMP_NEIGHBOUR_FORMS(alltoall, neighbour_all_to_all, 7)
TOPOMP_NEIGHBOUR_FORMS(alltoallv, neighbour_all_to_allv, 9)
TOPOMP_NEIGHBOUR_FORMS(alltoallw, neighbour_all_to_allw, 9)

} // extern "C"
