// Speed-up of a whole program from the speed-up of a kernel. The formulas are those of src/analysis/amdahl.cpp, which
// cites the sources.

/** @param {number} share @param {number} speedup */
export const amdahl = (share, speedup) => (speedup > 0 ? 1 / (1 - share + share / speedup) : 0);
/** @param {number} share @param {number} speedup */
export const gustafson = (share, speedup) => (speedup > 0 ? 1 - share + share * speedup : 0);
/** Speed-up if one transfer serves `reuses` executions. */
export const speedup_with_reuse = (baseline, kernel, transfer, reuses) => baseline / (kernel + transfer / reuses);

/** The least number of executions at which the kernel with its transfer is faster than the baseline; null if never. */
export function break_even(baseline, kernel, transfer) {
  if (!(baseline > 0) || !(kernel > 0) || !(transfer >= 0) || kernel >= baseline) return null;
  let count = Math.max(1, Math.floor(transfer / (baseline - kernel)));
  while (!(transfer + count * kernel < count * baseline)) ++count;
  return count;
}
