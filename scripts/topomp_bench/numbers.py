# SPDX-License-Identifier: BSL-1.0
"""Medians, geometric means, and how tables write numbers."""
import math


def median(values):
    values = sorted(values)
    middle = len(values) // 2
    return values[middle] if len(values) % 2 == 1 else (values[middle - 1] + values[middle]) / 2


def upper_median(values):
    """One of the values, also where their number is even."""
    values = sorted(values)
    return values[len(values) // 2]


def lower_median(values):
    values = sorted(values)
    return values[(len(values) - 1) // 2]


def geomean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def rounded(value):
    """To the nearest integer; a half is rounded up, and not to the even one."""
    low = math.floor(value)
    return low + (1 if value - low >= 0.5 else 0)


def text(value):
    """A number without a fraction of zero."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def plain(value):
    """A JSON value in which numbers without a fraction are integers."""
    if isinstance(value, dict):
        return {key: plain(each) for key, each in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def two(value):
    """Two digits behind the point."""
    hundredths = rounded(value * 100)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def short(value):
    """Three digits, about."""
    if value >= 100:
        return str(rounded(value))
    tenths = rounded(value * 10)
    return f"{tenths // 10}.{tenths % 10}"


def microseconds(seconds):
    return text(rounded(seconds * 1e7) / 10)


def or_dash(write, value):
    return "-" if value is None else write(value)
