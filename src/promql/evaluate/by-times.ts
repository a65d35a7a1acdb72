// Memo by instants: what depends on the instants of a series alone is computed once for series that share them.

/** Arrays of instants whose results are kept: series with the same ones are not next to each other. */
const MAX_KNOWN = 16;
/** Steps of the kept results together; one is kept in any case. */
const MAX_STEPS = 200_000;

/** @param stepCount length of a result */
export function onceByTimes<T>(
  make: (times: Float64Array) => T,
  stepCount: number,
): (times: Float64Array) => T {
  const known = new Map<Float64Array, T>();
  const most = Math.min(MAX_KNOWN, Math.floor(MAX_STEPS / stepCount));
  return (times) => {
    const found = known.get(times);
    if (found !== undefined) return found;
    const made = make(times);
    if (known.size >= most) known.clear();
    known.set(times, made);
    return made;
  };
}
