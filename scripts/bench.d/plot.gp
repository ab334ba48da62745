# SPDX-License-Identifier: BSL-1.0
# Time against bytes. Wants: data, a table whose first line names its columns (bytes, topomp, the bound that no algorithm
# beats, what the models say of topomp, the others); name, of the pictures without suffix; heading.
set datafile missing "?"
set logscale xy
set xlabel "bytes"
set ylabel "time of the slowest rank, us"
set title heading noenhanced
set grid xtics ytics lc rgb "#dddddd"
set border 3
set tics nomirror
set format x "%.0s%cB"
set key top left reverse Left samplen 2 noenhanced
bounds = int(system("awk 'NR > 1 && $3 != \"?\" { ++n } END { print n + 0 }' '" . data . "'"))
predictions = int(system("awk 'NR > 1 && $4 != \"?\" { ++n } END { print n + 0 }' '" . data . "'"))
columns = int(system("awk 'NR == 1 { print NF }' '" . data . "'"))
array colours[8] = ["#999999", "#5b8dd6", "#2ca089", "#b07aa1", "#d9a441", "#7f5539", "#6c757d", "#264653"]
do for [kind in "svg png"] {
    if (kind eq "svg") {
        set terminal svg size 640,440 dynamic font "sans-serif,13" background "white"
    } else {
        set terminal pngcairo size 960,660 font "sans-serif,13" background "white"
    }
    set output name . "." . kind
    plot for [i = 5:columns] data using 1:(column(i) * 1e6) with linespoints lw 2 pt 7 ps 0.6 lc rgb colours[i - 4] \
             title columnheader(i), \
         for [i = 3:3 + (bounds ? 0 : -1)] data using 1:(column(i) * 1e6) with lines lw 1 dt 2 lc rgb "#000000" \
             title columnheader(i), \
         for [i = 4:4 + (predictions ? 0 : -1)] data using 1:(column(i) * 1e6) with lines lw 2 dt 3 lc rgb "#d6604d" \
             title columnheader(i), \
         data using 1:(column(2) * 1e6) with linespoints lw 3 pt 7 ps 0.8 lc rgb "#d6604d" title columnheader(2)
    unset output
}
