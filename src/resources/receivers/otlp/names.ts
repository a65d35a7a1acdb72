// Names of the series of a metric, kept from message to message: the same attributes give the same object.
import { RecentCache } from "../../../core/recent-cache.ts";
import type { SeriesName } from "../../../core/series/samples.ts";
import { LabelSet } from "../labels.ts";
import type { Tally } from "../tally.ts";
import type { Attribute } from "./metric.ts";

/** Metrics of resources, by name and attributes. */
const recentMetrics = new RecentCache<MetricNames>(4096);

/** Attributes as text, made once for all metrics of a resource: they may be long. */
const texts = new WeakMap<readonly Attribute[], string>();

/** @param identity attributes of the resource that each series of the metric has @param scope tags of its scope that the series have, too */
export function findNames(
  metric: string,
  identity: readonly Attribute[],
  scope: readonly Attribute[],
): MetricNames {
  const text = texts.get(identity) ?? JSON.stringify(identity);
  texts.set(identity, text);
  const key = `${metric.length}:${metric}${scope.length > 0 ? JSON.stringify(scope) : ""}${text}`;
  const known = recentMetrics.get(key);
  if (known) return known;
  const names = new MetricNames(metric, scope.length > 0 ? [...identity, ...scope] : identity);
  recentMetrics.set(key, names);
  return names;
}

export class MetricNames {
  /** The list of attributes of a point is one object, as long as it was seen of late. */
  readonly #byAttributes = new WeakMap<readonly Attribute[], SeriesName>();
  /** Parts of a distribution by suffix. */
  readonly #parts = new WeakMap<SeriesName, Map<string, SeriesName>>();

  constructor(
    private readonly metric: string,
    private readonly resource: readonly Attribute[],
  ) {}

  /** @returns undefined of a point that cannot be stored, which is counted */
  find(attributes: readonly Attribute[], tally: Tally): SeriesName | undefined {
    const known = this.#byAttributes.get(attributes);
    if (known) return known;
    const name = nameOf(this.metric, [...this.resource, ...attributes], tally);
    if (name) this.#byAttributes.set(attributes, name);
    return name;
  }

  /** The series of a part, as `_count`. */
  findPart(series: SeriesName, suffix: string): SeriesName {
    const parts = this.#parts.get(series) ?? new Map<string, SeriesName>();
    this.#parts.set(series, parts);
    const part = parts.get(suffix) ?? { metric: `${series.metric}${suffix}`, tags: series.tags };
    if (parts.size < MAX_PARTS) parts.set(suffix, part);
    return part;
  }
}

/** Suffixes of a series that are kept; a summary may have ever new quantiles. */
const MAX_PARTS = 32;

/** An attribute of a point replaces that of its resource. */
function nameOf(metric: string, attributes: readonly Attribute[], tally: Tally): SeriesName | undefined {
  const labels = new LabelSet();
  labels.add("__name__", metric);
  for (const [name, value] of new Map(attributes)) if (name !== "__name__") labels.add(name, value);
  return labels.finish(1, tally);
}
