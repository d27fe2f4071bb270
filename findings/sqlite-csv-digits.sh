#!/usr/bin/env bash
# SQLite's shell exports the same real number with 15 digits as CSV and 20 as JSON. printf('%.17g', x) has 16.
# The time of day in seconds has 10 digits before the point. As CSV it is rounded to 10 microseconds, and by
# printf('%.17g', x) to one. The database and its JSON hold the time to a quarter of a microsecond.
# Why it matters: if a run's begin and end are stored, the run's length is right in SQL and in JSON. In the exported CSV
# a short run takes no time. The rounded values look tidy, so nothing seems wrong.
# Instead: export JSON, or printf('%!.17g', x), whose ! allows more than 16 digits. Or store whole nanoseconds.
# Versions: sqlite3 and libsqlite3-0 3.40.1-2+deb12u2.
set -euo pipefail
missing() { echo "skipped: $1"; exit 77; }
changed() { echo "CHANGED: $1"; exit 1; }
for tool in apt-get dpkg gcc; do command -v "$tool" > /dev/null || missing "there is no $tool"; done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
packages=(sqlite3=3.40.1-2+deb12u2 libsqlite3-0=3.40.1-2+deb12u2 libreadline8=8.2-1.3)
for package in "${packages[@]}"; do
  apt-get -qq download "$package" > log 2>&1 || missing "Debian 12's $package is not to be had"
done
for package in *.deb; do dpkg -x "$package" root; done
triple=$(gcc -print-multiarch)
export LD_LIBRARY_PATH=$folder/root/usr/lib/$triple:$folder/root/lib/$triple
sql() { root/usr/bin/sqlite3 -init /dev/null -batch runs.db "$@"; }

sql 'CREATE TABLE runs (begin REAL, end REAL)' \
    'INSERT INTO runs VALUES (1700000000.2500012, 1700000000.2500045), (1700000000.25, 1700000000.250026)'
lengths() {  # of the runs of a table, in microseconds
  sql -list "SELECT group_concat(printf('%5.1f', (CAST(end AS REAL) - CAST(begin AS REAL)) * 1e6), ' ') FROM $1"
}
bring_back() {  # a table's name, the file of the export
  sql -csv "CREATE TABLE $1 (begin REAL, end REAL)" ".import $2 $1"
}
sql -csv 'SELECT begin, end FROM runs' > plain.csv
sql -csv "SELECT printf('%.17g', begin), printf('%.17g', end) FROM runs" > seventeen.csv
sql -csv "SELECT printf('%!.17g', begin), printf('%!.17g', end) FROM runs" > marked.csv
sql -json 'SELECT begin, end FROM runs' > runs.json
bring_back plain plain.csv
bring_back seventeen seventeen.csv
bring_back marked marked.csv
sql "CREATE TABLE json AS SELECT value ->> 'begin' AS begin, value ->> 'end' AS end
     FROM json_each(CAST(readfile('runs.json') AS TEXT))"
echo "SQLite 3.40.1, how long two runs took in microseconds"
{
  echo "in the database:        $(lengths runs)   begin $(sql -json 'SELECT begin FROM runs LIMIT 1' | tr -dc '0-9.')"
  echo "as CSV:                 $(lengths plain)   begin $(head -n 1 plain.csv | cut -d, -f1)"
  echo "as CSV, printf %.17g:   $(lengths seventeen)   begin $(head -n 1 seventeen.csv | cut -d, -f1)"
  echo "as CSV, printf %!.17g:  $(lengths marked)   begin $(head -n 1 marked.csv | cut -d, -f1)"
  echo "as JSON:                $(lengths json)"
} | tee found
diff found - << 'END' || changed "the exports have other digits"
in the database:          3.3  26.0   begin 1700000000.2500011921
as CSV:                   0.0  30.0   begin 1700000000.25
as CSV, printf %.17g:     3.1  26.0   begin 1700000000.250001
as CSV, printf %!.17g:    3.3  26.0   begin 1700000000.2500012
as JSON:                  3.3  26.0
END
echo "as stated: CSV has too few digits for the length of a run"
