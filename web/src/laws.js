// What a kernel's speed-up gives a whole program; the same formulas as src/analysis/amdahl.cpp, which gives the
// sources.

/** @param {number} share @param {number} speedup */
export const amdahl = (share, speedup) => (speedup > 0 ? 1 / (1 - share + share / speedup) : 0);
/** @param {number} share @param {number} speedup */
export const gustafson = (share, speedup) => (speedup > 0 ? 1 - share + share * speedup : 0);
/** One transfer serves `reuses` executions. */
export const speedup_with_reuse = (baseline, kernel, transfer, reuses) => baseline / (kernel + transfer / reuses);

/** The least number of executions with which the transfer pays; null: never. */
export function break_even(baseline, kernel, transfer) {
  if (!(baseline > 0) || !(kernel > 0) || !(transfer >= 0) || kernel >= baseline) return null;
  let count = Math.max(1, Math.floor(transfer / (baseline - kernel)));
  while (!(transfer + count * kernel < count * baseline)) ++count;
  return count;
}
