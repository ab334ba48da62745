// SPDX-License-Identifier: BSL-1.0
/// @file
/// The decisions for one hierarchy, kept from call to call.
#pragma once

#include <topomp/decide/detail/call_key.hpp>
#include <topomp/decide/detail/decide.hpp>
#include <topomp/decide/detail/length_class.hpp>
#include <topomp/hierarchy/hierarchy.hpp>
#include <topomp/plan/detail/verb.hpp>
#include <topomp/plan/plan.hpp>

#include <array>
#include <cstddef>
#include <deque>
#include <memory>

namespace topo::detail {

/// What `automatic` decides for the calls of one hierarchy. The first call finds out what the key needs, and
/// each class of lengths is decided once.
///
/// A call that may wait for nobody asks `without_asking`. The ranks call all collectives of a hierarchy in
/// the same order, so that at each call either all of them know the full key and TOPOMP_TUNING or none does.
class decisions {
public:
    /// @collective over the whole the first time @cost then that of `oversubscription::of`, two all-reduces
    /// of a few integers, and a broadcast of the tuning file if TOPOMP_TUNING names one
    static decisions& of(const hierarchy& levels);

    /// What is known without asking other ranks: those of `of` once it was called; before, by what each rank
    /// knows of the key, and by the costs that the program loaded. Local, and the same on all ranks
    static decisions& without_asking(const hierarchy& levels);

    /// Calls `of` if costs were loaded, or some rank names TOPOMP_TUNING: for the first collective of a
    /// hierarchy if that may not wait later. @collective over the whole @cost an all-reduce of an integer,
    /// and perhaps that of `of`
    static void meet(const hierarchy& levels);

    explicit decisions(const hierarchy& levels);
    /// Those of a key whose other parts are not known.
    explicit decisions(const call_key& common) : common_(common) {}

    /// The key of a call.
    call_key key_of(verb what, std::size_t bytes, bool is_commutative,
                    call_form form = call_form::blocking) const {
        call_key now = common_;
        now.what = what;
        now.bytes = bytes;
        now.is_commutative = is_commutative;
        now.form = form;
        return now;
    }
    /// The costs by which this hierarchy decides: of each kind those that were loaded last, else those of the
    /// environment.
    const cost_sources& sources();

    /// @cost a look-up, if a call of that class was decided before @pre the form is not prepared
    const plan& of(verb what, std::size_t bytes, bool is_commutative, call_form form = call_form::blocking);

    /// Of a form that starts at once. @cost that of the tuned table where there are no costs, else as `of`
    plan at_once(verb what, std::size_t bytes, bool is_commutative, call_form form);

    /// Of a persistent form. @cost that of the tuned table, and those of `of` for the blocking call
    plan prepared(verb what, std::size_t bytes, bool is_commutative, call_form form);

private:
    using classes = std::array<const plan*, length_class::count>;
    static constexpr std::size_t kept_forms = static_cast<std::size_t>(call_form::prepared_with_posts);

    call_key common_;
    void refresh();

    cost_sources from_environment_;
    cost_sources sources_; ///< with what was loaded
    unsigned loads_ = 0;   ///< of which these, and the decisions, are
    std::array<std::unique_ptr<classes>, 2 * kept_forms * verb_names.size()> decided_;
    std::deque<plan> plans_;
};

/// The costs that the program loaded for all hierarchies, and how often it has.
struct loaded_sources {
    cost_sources sources;
    unsigned loads = 0;

    /// What was loaded of other kinds stays.
    void add(const cost_sources& more);
    void clear();
    static loaded_sources& now();
};

} // namespace topo::detail

#ifndef TOPOMP_COMPILED
#include <topomp/decide/impl/decisions.ipp>
#endif
