// Which trained versions of a model go when another one was saved: all but the newest, and but those that are needed.
export interface NumberedVersion {
  readonly name: string;
  /** Rises from training to training. */
  readonly number: number;
}

export interface VersionNeeds {
  /** This many of the newest stay, at least 1. */
  readonly keep: number;
  /** Names of those that stay whatever their age: the one that answers, and those that jobs work with. */
  readonly needed: ReadonlySet<string>;
}

/** One transaction does not hold up the server for long: 1000 versions of 0.14 MB take 0.1 s; the rest goes next time. */
export const MOST_AT_ONCE = 1000;

/**
 * The versions to remove, oldest first, at most `MOST_AT_ONCE`. The newest one is never among them: the next number
 * is counted from it, so no name is given twice.
 * @returns their numbers
 */
export function surplusVersions(
  versions: readonly NumberedVersion[],
  { keep, needed }: VersionNeeds,
): number[] {
  return versions
    .toSorted((a, b) => a.number - b.number)
    .slice(0, Math.max(0, versions.length - Math.max(1, keep)))
    .filter(({ name }) => !needed.has(name))
    .slice(0, MOST_AT_ONCE)
    .map(({ number }) => number);
}
