// The tables of a results file. Times are in seconds, sizes in bytes. Samples are BLOBs of little-endian
// doubles; a kernel's description is JSON (record/description.hpp). Any change of these tables must increase
// `newest_version`. Append new columns at the end of a table, as ALTER TABLE does.
#pragma once

#include <cstdint>

namespace sextant::store {

// "SXTN" in ASCII; it marks an SQLite file as a results file.
inline constexpr std::uint32_t application_id = 0x5358544E;
inline constexpr std::uint32_t newest_version = 11;

// Tables that were added after version 1. New files and upgrades of old files use the same statements.
inline constexpr const char* counter_table = R"(
CREATE TABLE counter (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  name TEXT NOT NULL, value REAL, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
)";
inline constexpr const char* kernel_table = R"(
CREATE TABLE kernel (
  session INTEGER NOT NULL REFERENCES session, name TEXT NOT NULL, description TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (session, name)
) WITHOUT ROWID;
)";
inline constexpr const char* search_tables = R"(  -- description: JSON (record/search.hpp)
CREATE TABLE search (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session, key TEXT NOT NULL, description TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (key, session)
);
CREATE TABLE search_step (
  search INTEGER NOT NULL REFERENCES search, step INTEGER NOT NULL,
  tuning TEXT NOT NULL, known INTEGER NOT NULL, effort INTEGER NOT NULL, status INTEGER NOT NULL, reason TEXT NOT NULL,
  time REAL, low REAL, high REAL, samples INTEGER NOT NULL, cost REAL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (search, step)
) WITHOUT ROWID;
)";

inline constexpr const char* part_table = R"(
CREATE TABLE part (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  device TEXT NOT NULL, compute REAL, exchange REAL, clock REAL, power REAL, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
)";

inline constexpr const char* visit_table = R"(
CREATE TABLE visit (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  process INTEGER NOT NULL, call_times BLOB, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
)";

// State of the GPU while a process took its samples; process 0 is the first one. The BLOBs have one value per
// group of samples; NaN: unknown.
inline constexpr const char* state_table = R"(
CREATE TABLE state (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  process INTEGER NOT NULL, samples BLOB, clocks BLOB, throttled BLOB, power REAL, temperature REAL,
  throttle_reasons TEXT NOT NULL, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
)";

// The other tables, with the columns of the newest version.
inline constexpr const char* base_tables = R"(
CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  started TEXT NOT NULL, machine TEXT NOT NULL, command TEXT NOT NULL, version TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  UNIQUE (started, machine, command)
);
CREATE TABLE environment (
  session INTEGER NOT NULL REFERENCES session, key TEXT NOT NULL, value TEXT NOT NULL,
  PRIMARY KEY (session, key)
) WITHOUT ROWID;
CREATE TABLE ceiling (
  session INTEGER NOT NULL REFERENCES session, device TEXT NOT NULL, name TEXT NOT NULL,
  footprint INTEGER NOT NULL, value REAL, checksum INTEGER NOT NULL,
  PRIMARY KEY (session, device, name, footprint)
) WITHOUT ROWID;
CREATE TABLE measurement (
  id INTEGER PRIMARY KEY,
  session INTEGER NOT NULL REFERENCES session, key TEXT NOT NULL,
  kernel TEXT NOT NULL, variant TEXT NOT NULL, problem_class TEXT NOT NULL, n INTEGER NOT NULL, type INTEGER NOT NULL,
  extent_x INTEGER NOT NULL, extent_y INTEGER NOT NULL, extent_z INTEGER NOT NULL,
  parameter_0 INTEGER NOT NULL, parameter_1 INTEGER NOT NULL, parameter_2 INTEGER NOT NULL, parameter_3 INTEGER NOT NULL,
  device TEXT NOT NULL, cache INTEGER NOT NULL,
  status INTEGER NOT NULL, reason TEXT NOT NULL, error REAL, tolerance REAL, seed INTEGER NOT NULL,
  call_times BLOB, device_times BLOB, alloc_times BLOB, end_to_end_times BLOB,
  bytes_read INTEGER NOT NULL, bytes_written INTEGER NOT NULL, flops INTEGER NOT NULL, items INTEGER NOT NULL,
  clock REAL, temperature REAL, power REAL, timestamp TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  standard_tuning INTEGER,
  calls_per_sample INTEGER NOT NULL DEFAULT 1, clock_step REAL, prepare_times BLOB, first_call REAL,
  integer_operations INTEGER NOT NULL DEFAULT 0,
  bytes_sent INTEGER NOT NULL DEFAULT 0, compute_times BLOB, exchange_times BLOB, balance REAL, cores REAL,
  nodes INTEGER, isolation INTEGER, seen_times BLOB,
  gap REAL, gap_times BLOB, gap_device_times BLOB, fill INTEGER NOT NULL DEFAULT 0,
  energies BLOB, energy_times BLOB, energy_window REAL, idle_power REAL, steady_after REAL,
  UNIQUE (key, session)
);
CREATE TABLE tuning (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  name TEXT NOT NULL, value INTEGER NOT NULL, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
CREATE TABLE transfer (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  array TEXT NOT NULL, to_device INTEGER NOT NULL, method TEXT NOT NULL, bytes INTEGER NOT NULL, times BLOB,
  PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
CREATE TABLE launch (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  name TEXT NOT NULL, grid_x INTEGER NOT NULL, grid_y INTEGER NOT NULL, grid_z INTEGER NOT NULL,
  block_x INTEGER NOT NULL, block_y INTEGER NOT NULL, block_z INTEGER NOT NULL,
  registers INTEGER NOT NULL, shared_memory INTEGER NOT NULL, occupancy REAL, time REAL,
  count INTEGER NOT NULL DEFAULT 1,
  PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
CREATE TABLE phase (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  name TEXT NOT NULL, times BLOB, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
CREATE TABLE warning (
  measurement INTEGER NOT NULL REFERENCES measurement, position INTEGER NOT NULL,
  text TEXT NOT NULL, PRIMARY KEY (measurement, position)
) WITHOUT ROWID;
)";

// Columns that were added in versions 2, 3, 5 to 9 and 11.
inline constexpr const char* columns_of_version_2 = R"(
ALTER TABLE launch ADD COLUMN count INTEGER NOT NULL DEFAULT 1;
)";
inline constexpr const char* columns_of_version_3 = R"(
ALTER TABLE measurement ADD COLUMN standard_tuning INTEGER;
ALTER TABLE measurement ADD COLUMN calls_per_sample INTEGER NOT NULL DEFAULT 1;
ALTER TABLE measurement ADD COLUMN clock_step REAL;
ALTER TABLE measurement ADD COLUMN prepare_times BLOB;
ALTER TABLE measurement ADD COLUMN first_call REAL;
)";
inline constexpr const char* columns_of_version_5 = R"(
ALTER TABLE measurement ADD COLUMN integer_operations INTEGER NOT NULL DEFAULT 0;
)";
inline constexpr const char* columns_of_version_6 = R"(
ALTER TABLE measurement ADD COLUMN bytes_sent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE measurement ADD COLUMN compute_times BLOB;
ALTER TABLE measurement ADD COLUMN exchange_times BLOB;
ALTER TABLE measurement ADD COLUMN balance REAL;
ALTER TABLE measurement ADD COLUMN cores REAL;
)";
inline constexpr const char* columns_of_version_7 = R"(
ALTER TABLE measurement ADD COLUMN nodes INTEGER;
)";
inline constexpr const char* columns_of_version_8 = R"(
ALTER TABLE measurement ADD COLUMN isolation INTEGER;
)";
inline constexpr const char* columns_of_version_9 = R"(
ALTER TABLE measurement ADD COLUMN seen_times BLOB;
)";
inline constexpr const char* columns_of_version_11 = R"(
ALTER TABLE measurement ADD COLUMN gap REAL;
ALTER TABLE measurement ADD COLUMN gap_times BLOB;
ALTER TABLE measurement ADD COLUMN gap_device_times BLOB;
ALTER TABLE measurement ADD COLUMN fill INTEGER NOT NULL DEFAULT 0;
ALTER TABLE measurement ADD COLUMN energies BLOB;
ALTER TABLE measurement ADD COLUMN energy_times BLOB;
ALTER TABLE measurement ADD COLUMN energy_window REAL;
ALTER TABLE measurement ADD COLUMN idle_power REAL;
ALTER TABLE measurement ADD COLUMN steady_after REAL;
)";

}  // namespace sextant::store
