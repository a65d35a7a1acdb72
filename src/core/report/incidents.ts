// Incidents: anomalies that overlap in time, of several models that share the value of a tag or of series of one fleet,
// shown as one; pure.
import type { SubjectFields } from "../anomaly/event.ts";
import { describeSeries } from "../model/series-text.ts";

type Tags = Readonly<Record<string, string>>;

/** What grouping needs of an anomaly. */
interface Groupable extends SubjectFields {
  readonly model: string;
  /** Seconds since the epoch, as is `end`. */
  readonly start: number;
  /** null while it lasts. */
  readonly end: number | null;
  readonly features: Readonly<Record<string, { readonly tags?: Tags }>>;
}

export interface Incident<T extends Groupable> {
  /** Shared by all members, as in `host=a`; absent: series of one fleet, or one anomaly by itself. */
  readonly tag?: string;
  /** In the order of the list. */
  readonly members: readonly T[];
}

interface Rules {
  /** Longest time from the start of a member to that of the next, seconds. */
  readonly within?: number;
  /** Least number of series of one fleet that are an incident; absent: only several models are. */
  readonly leastSeries?: number;
}

/**
 * Each anomaly is in one incident: that of most models, of those the smallest, which has the most specific tag; what is
 * in none of them, in that of its fleet.
 * @returns in the order of their first members
 */
export function groupIncidents<T extends Groupable>(
  list: readonly T[],
  { within = Number.POSITIVE_INFINITY, leastSeries = Number.POSITIVE_INFINITY }: Rules = {},
): readonly Incident<T>[] {
  const places = new Map(list.map((anomaly, place) => [anomaly, place]));
  const placeOf = ({ members }: Incident<T>) => places.get(members[0]!)!;
  const found: Incident<T>[] = [];
  let left = list;
  for (let best = largestIncident(left, within); best; best = largestIncident(left, within)) {
    const taken = new Set(best.members);
    left = left.filter((anomaly) => !taken.has(anomaly));
    found.push(best);
  }
  const ofFleets = [...Map.groupBy(left, ({ model }) => model).values()].flatMap((own) =>
    overlapping(own, within).flatMap((members): Incident<T>[] =>
      seriesOf(members) >= leastSeries ? [{ members }] : members.map((anomaly) => ({ members: [anomaly] })),
    ),
  );
  return [...found, ...ofFleets]
    .map((incident) => ({
      ...incident,
      members: incident.members.toSorted((a, b) => places.get(a)! - places.get(b)!),
    }))
    .sort((a, b) => placeOf(a) - placeOf(b));
}

/** Number of series, each counted once. */
function seriesOf(members: readonly Groupable[]): number {
  return new Set(members.flatMap(({ series }) => (series ? [describeSeries(series)] : []))).size;
}

function largestIncident<T extends Groupable>(list: readonly T[], within: number): Incident<T> | undefined {
  const byTag = new Map<string, T[]>();
  for (const anomaly of list)
    for (const [tag, value] of Object.entries(tagsOf(anomaly))) {
      if (value === "") continue;
      const key = `${tag}=${value}`;
      const members = byTag.get(key);
      if (members) members.push(anomaly);
      else byTag.set(key, [anomaly]);
    }
  const incidents = [...byTag].flatMap(([tag, members]) =>
    overlapping(members, within).map((each) => ({ tag, members: each })),
  );
  const [largest] = incidents
    .filter((incident) => modelsOf(incident).length > 1)
    .sort((a, b) => modelsOf(b).length - modelsOf(a).length || a.members.length - b.members.length);
  return largest;
}

/** Tags of the series; of a model of one series those that all its features are read by. */
function tagsOf({ series, scope, features }: Groupable): Tags {
  if (series) return series;
  const [first, ...others] = scope ? [] : Object.values(features);
  return Object.fromEntries(
    Object.entries(first?.tags ?? {}).filter(([tag, value]) =>
      others.every(({ tags }) => tags?.[tag] === value),
    ),
  );
}

/** Runs of anomalies each of which overlaps one before it, and starts soon after the last. */
function overlapping<T extends Groupable>(list: readonly T[], within: number): readonly (readonly T[])[] {
  const runs: T[][] = [];
  let lastEnd = Number.NEGATIVE_INFINITY;
  let lastStart = Number.NEGATIVE_INFINITY;
  for (const anomaly of list.toSorted((a, b) => a.start - b.start)) {
    if (anomaly.start < lastEnd && anomaly.start - lastStart <= within) runs.at(-1)!.push(anomaly);
    else runs.push([anomaly]);
    lastEnd = Math.max(lastEnd, endOf(anomaly));
    lastStart = anomaly.start;
  }
  return runs;
}

/** The models of an incident, each once. */
export function modelsOf({ members }: Incident<Groupable>): readonly string[] {
  return [...new Set(members.map(({ model }) => model))];
}

/** From the first start to the last end; null while one lasts. */
export function spanOfIncident({ members }: Incident<Groupable>): Pick<Groupable, "start" | "end"> {
  const end = Math.max(...members.map(endOf));
  return { start: Math.min(...members.map(({ start }) => start)), end: Number.isFinite(end) ? end : null };
}

interface Judged {
  readonly feedback?: { readonly anomaly: boolean };
}

/** The verdict that all members share. */
export function verdictOf({ members }: { readonly members: readonly Judged[] }): boolean | undefined {
  const [first, ...others] = members.map(({ feedback }) => feedback?.anomaly);
  return others.every((verdict) => verdict === first) ? first : undefined;
}

const endOf = ({ end }: Groupable) => end ?? Number.POSITIVE_INFINITY;
