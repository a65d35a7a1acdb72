// Long run of a series in words: its length, and that of the longest other one alike.

/** Indices of points, both part of it; `usual` in points. */
interface LongRun {
  readonly at: "value" | "level";
  readonly first: number;
  readonly last: number;
  readonly usual: number;
}

/** As "the same value for 60 points, elsewhere for at most 4". */
export function describeRun({ at, first, last, usual }: LongRun): string {
  const what = at === "value" ? "the same value" : "at one level";
  return `${what} for ${last - first + 1} points, elsewhere for at most ${usual}`;
}

/** The run that a point is part of. @param runs in order of time @param i index of the point */
export function runAt<R extends LongRun>(runs: readonly R[], i: number): R | undefined {
  return runs.find(({ first, last, usual }) => first + usual <= i && i <= last);
}
