// SQL statements that turn a results file into a file of an older format version.
#pragma once

namespace sextant {

// SQL statements for each older format version. Each one also contains the steps of all newer versions.
#define WITHOUT_STATES                                                                                   \
  "DROP TABLE state; ALTER TABLE measurement DROP COLUMN gap;"                                           \
  "ALTER TABLE measurement DROP COLUMN gap_times; ALTER TABLE measurement DROP COLUMN gap_device_times;" \
  "ALTER TABLE measurement DROP COLUMN fill; ALTER TABLE measurement DROP COLUMN energies;"              \
  "ALTER TABLE measurement DROP COLUMN energy_times; ALTER TABLE measurement DROP COLUMN energy_window;" \
  "ALTER TABLE measurement DROP COLUMN idle_power; ALTER TABLE measurement DROP COLUMN steady_after;"
constexpr const char* to_version_10 = WITHOUT_STATES "PRAGMA user_version = 10;";
#define WITHOUT_VISITS WITHOUT_STATES "DROP TABLE visit;"
constexpr const char* to_version_9 = WITHOUT_VISITS "PRAGMA user_version = 9;";
#define WITHOUT_SEEN_TIMES WITHOUT_VISITS "ALTER TABLE measurement DROP COLUMN seen_times;"
constexpr const char* to_version_8 = WITHOUT_SEEN_TIMES "PRAGMA user_version = 8;";
#define WITHOUT_ISOLATION WITHOUT_SEEN_TIMES "ALTER TABLE measurement DROP COLUMN isolation; DROP TABLE part;"
constexpr const char* to_version_7 = WITHOUT_ISOLATION "PRAGMA user_version = 7;";
#define WITHOUT_NODES WITHOUT_ISOLATION "ALTER TABLE measurement DROP COLUMN nodes;"
constexpr const char* to_version_6 = WITHOUT_NODES "PRAGMA user_version = 6;";
#define WITHOUT_PARTS                                                                                  \
  WITHOUT_NODES                                                                                        \
  "ALTER TABLE measurement DROP COLUMN bytes_sent; ALTER TABLE measurement DROP COLUMN compute_times;" \
  "ALTER TABLE measurement DROP COLUMN exchange_times; ALTER TABLE measurement DROP COLUMN balance;"   \
  "ALTER TABLE measurement DROP COLUMN cores;"
constexpr const char* to_version_5 = WITHOUT_PARTS "PRAGMA user_version = 5;";
#define WITHOUT_INTEGER_OPERATIONS WITHOUT_PARTS "ALTER TABLE measurement DROP COLUMN integer_operations;"
constexpr const char* to_version_4 = WITHOUT_INTEGER_OPERATIONS "PRAGMA user_version = 4;";
#define WITHOUT_SEARCHES WITHOUT_INTEGER_OPERATIONS "DROP TABLE search_step; DROP TABLE search;"
constexpr const char* to_version_3 = WITHOUT_SEARCHES "PRAGMA user_version = 3;";
#define TO_VERSION_2                                                                                      \
  WITHOUT_SEARCHES                                                                                        \
  "DROP TABLE kernel;"                                                                                    \
  "ALTER TABLE measurement DROP COLUMN standard_tuning;"                                                  \
  "ALTER TABLE measurement DROP COLUMN calls_per_sample; ALTER TABLE measurement DROP COLUMN clock_step;" \
  "ALTER TABLE measurement DROP COLUMN prepare_times; ALTER TABLE measurement DROP COLUMN first_call;"    \
  "PRAGMA user_version = 2;"
constexpr const char* to_version_2 = TO_VERSION_2;
constexpr const char* to_version_1 =
    TO_VERSION_2 "ALTER TABLE launch DROP COLUMN count; DROP TABLE counter; PRAGMA user_version = 1;";

// The statements for the versions 1 to 10, in order.
constexpr const char* to_older_version[] = {to_version_1, to_version_2, to_version_3, to_version_4,
                                            to_version_5, to_version_6, to_version_7, to_version_8,
                                            to_version_9, to_version_10};

}  // namespace sextant
