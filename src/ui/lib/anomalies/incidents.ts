// Incidents: anomalies of several models that overlap in time and share the value of a tag, shown as one; pure.
import type { AnomalyView } from "../../../api/anomaly.ts";
import type { Tags } from "../fleet.ts";

export interface Incident {
  /** Shared by all members, as in `host=a`; absent: one anomaly by itself. */
  readonly tag?: string;
  /** In the order of the list. */
  readonly members: readonly AnomalyView[];
}

/**
 * Each anomaly is in one incident: that of most models, of those the smallest, which has the most specific tag.
 * @returns in the order of their first members
 */
export function groupIncidents(list: readonly AnomalyView[]): readonly Incident[] {
  const places = new Map(list.map((anomaly, place) => [anomaly, place]));
  const placeOf = ({ members }: Incident) => places.get(members[0]!)!;
  const found: Incident[] = [];
  let left = list;
  for (let best = largestIncident(left); best; best = largestIncident(left)) {
    const taken = new Set(best.members);
    left = left.filter((anomaly) => !taken.has(anomaly));
    found.push({ ...best, members: best.members.toSorted((a, b) => places.get(a)! - places.get(b)!) });
  }
  return [...found, ...left.map((anomaly) => ({ members: [anomaly] }))].sort(
    (a, b) => placeOf(a) - placeOf(b),
  );
}

function largestIncident(list: readonly AnomalyView[]): Incident | undefined {
  const byTag = new Map<string, AnomalyView[]>();
  for (const anomaly of list)
    for (const [tag, value] of Object.entries(tagsOf(anomaly))) {
      if (value === "") continue;
      const key = `${tag}=${value}`;
      byTag.set(key, [...(byTag.get(key) ?? []), anomaly]);
    }
  const incidents = [...byTag].flatMap(([tag, members]) =>
    overlapping(members).map((each) => ({ tag, members: each })),
  );
  const [largest] = incidents
    .filter((incident) => modelsOf(incident).length > 1)
    .sort((a, b) => modelsOf(b).length - modelsOf(a).length || a.members.length - b.members.length);
  return largest;
}

/** Tags of the series; of a model of one series those that all its features are read by. */
function tagsOf({ series, scope, features }: AnomalyView): Tags {
  if (series) return series;
  const [first, ...others] = scope ? [] : Object.values(features);
  return Object.fromEntries(
    Object.entries(first?.tags ?? {}).filter(([tag, value]) =>
      others.every(({ tags }) => tags?.[tag] === value),
    ),
  );
}

/** Runs of anomalies each of which overlaps one before it. */
function overlapping(list: readonly AnomalyView[]): readonly (readonly AnomalyView[])[] {
  const runs: AnomalyView[][] = [];
  let lastEnd = Number.NEGATIVE_INFINITY;
  for (const anomaly of list.toSorted((a, b) => a.start - b.start)) {
    if (anomaly.start < lastEnd) runs.at(-1)!.push(anomaly);
    else runs.push([anomaly]);
    lastEnd = Math.max(lastEnd, endOf(anomaly));
  }
  return runs;
}

/** The models of an incident, each once. */
export function modelsOf({ members }: Incident): readonly string[] {
  return [...new Set(members.map(({ model }) => model))];
}

/** From the first start to the last end; null while one lasts. */
export function spanOfIncident({ members }: Incident): Pick<AnomalyView, "start" | "end"> {
  const end = Math.max(...members.map(endOf));
  return { start: Math.min(...members.map(({ start }) => start)), end: Number.isFinite(end) ? end : null };
}

/** The verdict that all members share. */
export function verdictOf({ members }: Incident): boolean | undefined {
  const [first, ...others] = members.map(({ feedback }) => feedback?.anomaly);
  return others.every((verdict) => verdict === first) ? first : undefined;
}

const endOf = ({ end }: AnomalyView) => end ?? Number.POSITIVE_INFINITY;
