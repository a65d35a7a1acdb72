// Retention of model versions: keeps the newest and those in use, deletes the rest after a training.
interface NumberedVersion {
  readonly name: string;
  /** Increases with each training. */
  readonly number: number;
}

interface VersionNeeds {
  /** Number of the newest versions to keep, at least 1. */
  readonly keep: number;
  /** Names of versions to keep at any age: the active one, and those that jobs use. */
  readonly needed: ReadonlySet<string>;
}

/** Versions deleted per transaction, to keep it short; the next training deletes the rest. */
export const MAX_DELETED_AT_ONCE = 1000;

/**
 * The versions to delete, oldest first, at most `MOST_AT_ONCE`. The newest is never among them: the next number is
 * counted from it, so that no name is reused.
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
    .slice(0, MAX_DELETED_AT_ONCE)
    .map(({ number }) => number);
}
