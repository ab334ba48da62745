// SPDX-License-Identifier: BSL-1.0
/// @file
/// Tables by the length of messages.
#pragma once

#include <algorithm>
#include <vector>

namespace topo::model::detail {

/// What a table says about messages of so many bytes: between two rows along a line; below the first row as
/// there, past the last one along the line that ends in it, but never downwards.
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
