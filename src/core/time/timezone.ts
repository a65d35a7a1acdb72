// How far local time is ahead of UTC, looked up once per quarter of an hour; pure but for its memory.

const HOLDS_MS = 900_000;
/** Entries kept: a year of quarters. */
const MOST = 40_000;

/**
 * @param timezone IANA name, checked before
 * @returns offset of local time at an instant (ms since the epoch), ms; undefined for UTC, where there is none
 */
export function offsetsOf(timezone: string | undefined): ((at: number) => number) | undefined {
  if (!timezone || /^(etc\/)?utc$/i.test(timezone)) return undefined;
  // No zone changes its offset but at a quarter of an hour.
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / HOLDS_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    if (known.size >= MOST) known.clear();
    const { offsetNanoseconds } = Temporal.Instant.fromEpochMilliseconds(
      quarter * HOLDS_MS,
    ).toZonedDateTimeISO(timezone);
    known.set(quarter, offsetNanoseconds / 1e6);
    return offsetNanoseconds / 1e6;
  };
}
