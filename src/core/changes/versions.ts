// Version changes of services, found in series; pure.

/** Intervals with a version before one that has it anew: a gap of a scrape, or a rollout, is no new version. */
export const AWAY = 3;

/** The versions of one service, interval by interval; an interval without any is a gap. */
export interface VersionRun {
  /** Tags of the service. */
  readonly tags: Readonly<Record<string, string>>;
  /** Number of intervals. */
  readonly length: number;
  /** Those of an interval, each once. */
  readonly versionsAt: (index: number) => readonly string[];
}

/** New versions from which on it matters how many there are, and the share of intervals that versions do not exceed. */
const RESTLESS = { changes: 10, share: 0.25 } as const;

export interface VersionChange {
  readonly tags: Readonly<Record<string, string>>;
  /** Versions of the interval with any before it. */
  readonly from: readonly string[];
  readonly to: string;
  /** Index of the first interval with it. */
  readonly index: number;
}

interface ReadSeries {
  readonly tags: Readonly<Record<string, string>>;
  /** NaN = missing. */
  readonly column: Float64Array;
}

/**
 * The versions by service.
 * @param label whose values are the versions, where a series has a value other than 0; absent: the values themselves are
 */
export function versionRuns(series: readonly ReadSeries[], label: string | undefined): VersionRun[] {
  const services = Map.groupBy(series, ({ tags }) => JSON.stringify(ownTags(tags, label)));
  return [...services.values()].map((members) => ({
    tags: Object.fromEntries(ownTags(members[0]!.tags, label)),
    length: members[0]!.column.length,
    versionsAt: (index) =>
      members.flatMap(({ tags, column }) => {
        const value = column[index]!;
        if (label === undefined) return Number.isNaN(value) ? [] : [String(value)];
        const version = tags[label] ?? "";
        return Number.isNaN(value) || value === 0 || version === "" ? [] : [version];
      }),
  }));
}

function ownTags(tags: ReadSeries["tags"], label: string | undefined) {
  return Object.entries(tags).filter(([tag]) => tag !== label);
}

/**
 * Versions that none of the `AWAY` intervals before had, intervals without any left out. The first intervals have none
 * before them: what they begin with is not new.
 */
export function findVersionChanges({ tags, length, versionsAt }: VersionRun): VersionChange[] {
  const found: VersionChange[] = [];
  const before: (readonly string[])[] = [];
  for (let index = 0; index < length; index++) {
    const there = versionsAt(index);
    if (there.length === 0) continue;
    if (before.length === AWAY)
      for (const to of there.filter((version) => !before.some((earlier) => earlier.includes(version))))
        found.push({ tags, from: before.at(-1)!, to, index });
    before.push(there);
    if (before.length > AWAY) before.shift();
  }
  return found;
}

/** Whether what changes is no version but a measurement: every few intervals have a new one. @param count of its changes */
export function isRestless({ length, versionsAt }: VersionRun, count: number): boolean {
  if (count < RESTLESS.changes) return false;
  let filled = 0;
  for (let index = 0; index < length; index++) if (versionsAt(index).length > 0) filled++;
  return count > RESTLESS.share * filled;
}
