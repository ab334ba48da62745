// SPDX-License-Identifier: BSL-1.0
/// @file
/// Tables by the length of messages.
#pragma once

#include <algorithm>
#include <vector>

namespace topo::model::detail {

/// The value of a table for messages of so many bytes: interpolated between two rows; below the first row
/// that row's value; beyond the last row extrapolated along the last line, but never decreasing.
/// @param rows by ascending `bytes`, at least one @param column what to read of a row
template <class Row, class Column>
double read_table(const std::vector<Row>& rows, double bytes, Column column) {
    if (rows.size() == 1 || bytes <= rows.front().bytes) return column(rows.front());
    const auto above = std::ranges::lower_bound(rows, bytes, {}, &Row::bytes);
    const Row& right = above == rows.end() ? rows.back() : *above;
    const Row& left = *(&right - 1);
    const double slope = (column(right) - column(left)) / (right.bytes - left.bytes);
    return column(right) + (bytes - right.bytes) * (bytes > right.bytes ? std::max(0.0, slope) : slope);
}

} // namespace topo::model::detail
