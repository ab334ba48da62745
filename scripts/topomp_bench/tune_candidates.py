# SPDX-License-Identifier: BSL-1.0
"""What scripts/tune tries: verbs, a policy and the least and most bytes at which it can be best; of SIZES those between."""
from .platforms import KNOWN
from .tables_verbs import VERBS

_LINES = """
barrier doubling_2 8 8
barrier doubling_4 8 8
barrier doubling_6 8 8
barrier doubling_8 8 8
barrier doubling_16 8 8
barrier postal6_postal3 8 8
broadcast,reduce postal6_postal3 8 16384
broadcast,reduce postal8_postal3 8 16384
broadcast,reduce spreading 8 512
broadcast,reduce helping 8 512
broadcast,reduce postal4_linear 8 32768
broadcast,reduce nomial4_linear 8 32768
broadcast,reduce ternary_binary_8k 16384 131072
broadcast,reduce binary_binary_8k 16384 524288
broadcast,reduce binary_linear_8k 16384 131072
broadcast chain_binary_8k 131072 2097152
reduce chain_binary_8k 131072 524288
broadcast binary_chain_8k 32768 2097152
broadcast chain_chain_8k 131072 2097152
reduce binary_chain_8k 32768 524288
reduce chain_chain_8k 131072 524288
broadcast,reduce chain_linear_32k 524288 2097152
reduce ordered_binary_8k 16384 524288
broadcast,reduce two_postal4_postal6 512 32768
broadcast,reduce two_postal6_postal4 512 32768
broadcast,reduce two_postal6_postal6 512 32768
broadcast double_8k 16384 524288
broadcast double_16k 131072 2097152
broadcast doubling_4 16384 524288
broadcast doubling_8 16384 2097152
broadcast doubling_16 16384 2097152
reduce splitting_4 16384 524288
reduce splitting_8 16384 2097152
reduce splitting_16 16384 2097152
all_reduce doubling_4 8 512
all_reduce doubling_6 8 512
all_reduce splitting_2 512 524288
all_reduce splitting_4 8 524288
all_reduce splitting_6 8 524288
all_reduce splitting_8 8 524288
all_reduce splitting_16 2048 524288
all_reduce postal6_postal3 8 4096
all_reduce postal8_postal3 8 4096
all_reduce postal4_linear 8 8192
all_reduce binary_binary_8k 32768 524288
all_reduce binary_linear_8k 32768 131072
all_reduce binary_chain_8k 131072 524288
all_reduce chain_chain_8k 524288 524288
all_reduce lanes 32768 131072
gather,scatter spreading 8 512
gather,scatter postal5_postal3 8 4096
gather,scatter nomial4_linear 8 4096
gather,scatter linear_linear 8 32768
gather,scatter straight 512 32768
all_gather doubling_2 8 512
all_gather doubling_4 8 512
all_gather doubling_6 8 8192
all_gather doubling_8 8 32768
all_gather doubling_16 8 8192
all_gather lanes 32 32768
all_gather ring 8192 8192
all_to_all doubling_6 8 512
all_to_all doubling_64 8 8192
all_to_all pairwise 256 8192
reduce_scatter halving_2 8 512
reduce_scatter halving_4 8 512
reduce_scatter halving_6 8 2048
reduce_scatter halving_8 8 8192
reduce_scatter lanes 32 8192
"""

CANDIDATES = [(verbs.split(","), policy, int(least), int(most))
              for verbs, policy, least, most in map(str.split, _LINES.strip().splitlines())]

_ROOTED = [8, 128, 512, 2048, 4096, 8192, 16384, 32768, 131072, 524288, 2097152]
_BLOCKS = [8, 128, 512, 1024, 2048, 4096, 32768]
_ALL_BLOCKS = [8, 32, 128, 512, 2048, 8192, 32768]
SIZES = {"barrier": [8], "broadcast": _ROOTED, "reduce": _ROOTED,
         "all_reduce": [8, 128, 512, 1024, 2048, 4096, 8192, 32768, 131072, 524288], "gather": _BLOCKS, "scatter": _BLOCKS,
         "all_gather": _ALL_BLOCKS, "all_to_all": [8, 256, 512, 2048, 8192], "reduce_scatter": _ALL_BLOCKS}
QUICK_SIZES = {"broadcast": [8, 8192, 32768]}

PLATFORMS = [KNOWN[name] for name in ("ntw32x16", "ntw10e5", "smp20e7")]
QUICK_PLATFORMS = [KNOWN["smp20e7"]]

# On many nodes what moves the same data to all, or none, and what ends with blocks of all, when it is short.
_MOST_ON_MANY_NODES = {**dict.fromkeys(VERBS[:4], 32768), "all_gather": 512, "reduce_scatter": 512}


def points_of(platform, verb, sizes):
    """What is measured: a policy and its sizes."""
    if platform.name == "ntw32x16":
        sizes = [size for size in sizes if size <= _MOST_ON_MANY_NODES.get(verb, 0)]
    points = [(policy, [size for size in sizes if least <= size <= most])
              for verbs, policy, least, most in CANDIDATES if verb in verbs]
    return [(policy, those) for policy, those in points if those]
