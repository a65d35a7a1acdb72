// Recent intervals of `notify_after`, as a short text; pure.

/** `n` of the last `of` scored intervals start an anomaly. */
export interface RecentRule {
  readonly n: number;
  readonly of: number;
}

/**
 * Adds an interval to the recent ones.
 * @param recent `1` above max, `0` not; oldest first, begins with a `1` or is empty
 * @returns at most `of` of them
 */
export function addRecent(recent: string, isAbove: boolean, { of }: RecentRule): string {
  return `${recent}${isAbove ? 1 : 0}`.slice(-of).replace(/^0+/, "");
}

/** Whether enough of the recent intervals are above max. */
export function isEnough(recent: string, { n }: RecentRule): boolean {
  return recent.replaceAll("0", "").length >= n;
}
