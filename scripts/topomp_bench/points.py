# SPDX-License-Identifier: BSL-1.0
"""Samples of scripts/bench to points: one for each platform, verb and number of bytes."""
from .numbers import median
from .samples import grouped


def kind_of(samples):
    """Samples of verbs, of grids and of results once per node become points and tables in different ways."""
    kind = samples[0].get("benchmark")
    return kind if kind in ("halo", "hybrid") else "verbs"


def points_of(samples):
    return {"halo": halo_points, "hybrid": hybrid_points, "verbs": verb_points}[kind_of(samples)](samples)


def medians(samples, key):
    """The median of the seconds for each value of the key."""
    return {group[0][key]: median(sample["seconds"] for sample in group) for group in grouped(samples, key)}


def first(values):
    return next((value for value in values if value is not None), None)


def by(who, samples):
    return [sample for sample in samples if sample["by"] == who]


def selectors(samples):
    return sorted({sample["selector"] for sample in samples})


def verb_points(samples):
    """Medians of ours and of the others.

    In a simulation ours runs on Open MPI's rules; on one machine it runs on the MPI that is the better one, and on a
    cluster on the better one of Open MPI's default and HAN, with which it took turns. 'bound' is what no algorithm can
    beat; 'copies', on one machine, what a memcpy takes of all that has to be copied at least; 'predicted' what the
    models say of what ours does.
    """
    where = samples[0]["where"]
    points = []
    for group in grouped(samples, "where", "platform", "verb", "bytes"):
        good = [sample for sample in group if sample.get("failed") is None]
        failed = [sample for sample in group if sample.get("failed") is not None]
        others = {**medians(by("mpi", good), "selector"), **medians(by("two_levels", good), "selector")}
        ours, own = medians(by("topomp", good), "selector"), medians(by("candidate", good), "policy")
        ranked = [selector for selector in others if where != "cluster" or selector != "mpich"]
        best = min(ranked, key=others.get, default=None)
        base = "ompi" if where == "sim" else best
        copies = [sample["copies"] for sample in good
                  if where == "local" and sample["selector"] == base and sample.get("copies") is not None]
        points.append({
            **{key: group[0][key] for key in ("where", "platform", "verb", "bytes")},
            "copies": median(copies) if copies else None,
            "bound": first(sample.get("bound") for sample in good),
            "predicted": first(sample.get("predicted") for sample in good),
            "ours": ours.get(base), "ours_on": ours, "others": others, "best": best,
            "own_best": min(own, key=own.get, default=None),
            "regret": max(1, ours[base] / min(own.values())) if own and base in ours else None,
            "ratio": others[best] / ours[base] if best is not None and base in ours else None,
            "not_available": selectors(by("mpi", failed)) + selectors(by("two_levels", failed)),
            "stopped": bool(by("topomp", failed))})
    return points


def halo_points(samples):
    """Of repetitions the fastest counts, as in paper 3."""
    points = []
    for group in grouped(samples, "where", "platform", "verb", "bytes"):
        mpi, ours = (min((sample["seconds"] for sample in by(who, group)), default=None) for who in ("mpi", "topomp"))
        head = group[0]
        points.append({
            **{key: head.get(key) for key in ("where", "platform", "verb", "bytes", "size", "ranks", "grid")},
            "ours": ours, "others": {"Cart": mpi},
            "work": head.get("sent") if head.get("sent") is not None else head.get("operations"),
            **{key: {who: first(sample.get(key) for sample in by(who, group)[:1]) for who in ("mpi", "topomp")}
               for key in ("on_node", "jmax")},
            "ratio": mpi / ours if mpi is not None and ours is not None else None})
    return points


def hybrid_points(samples):
    """Medians of ours (operands in windows), of ours with operands in ordinary buffers, of paper 2's scheme and of the MPI.
    Verbs that the scheme does not have are beside the MPI alone."""
    points = []
    for group in grouped(samples, "where", "platform", "selector", "verb", "bytes"):
        others = medians([sample for sample in group if sample.get("failed") is None], "by")
        ours = others.pop("topomp", None)
        ranked = [name for name in others if name != "topomp, buffers"]
        head = group[0]
        points.append({
            "where": head["where"], "platform": f"{head['platform']}-{head['selector']}", "verb": head["verb"],
            "bytes": head["bytes"], "ranks": first(sample.get("ranks") for sample in group), "bound": None, "ours": ours,
            "others": others,
            "best": min(ranked, key=others.get, default=None),
            "ratio": (None if ours is None or "mpi" not in others else
                      min(others[name] for name in ("paper 2", "mpi") if name in others) / ours),
            "not_available": selectors(sample for sample in group if sample.get("failed") is not None),
            "stopped": False})
    return points
