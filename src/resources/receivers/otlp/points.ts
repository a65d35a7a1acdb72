// Points of OpenTelemetry metrics: a field named as the metric, with a suffix for each part of a distribution.
import type { MetadataSet, MetricMetadata } from "../../../core/series/metric-metadata.ts";
import type { SeriesName } from "../../../core/series/samples.ts";
import type { SampleGatherer } from "../samples.ts";
import type { Tally } from "../tally.ts";
import { faultOf } from "./faults.ts";
import type { Attribute, DataPoint, Metric, ResourceMetric } from "./metric.ts";
import { findNames, type MetricNames } from "./names.ts";
import { binsOf, type IntervalHistograms, quantileOf } from "./quantiles.ts";
import type { ScopedMetrics } from "./scopes.ts";

/** Flag of a point without a value, which ends its series. */
const NO_VALUE = 1;
const quantiles = [0.5, 0.9, 0.95, 0.99];

/** Attributes of a resource that identify it, beside those of `k8s.`; others would make ever new series. */
const identifying: ReadonlySet<string> = new Set([
  ...["service.namespace", "service.name", "service.instance.id", "deployment.environment.name"],
  ...["deployment.environment", "host.name", "container.name", "cloud.region", "cloud.availability_zone"],
]);
/** Names of Kubernetes; its ids change with every start. */
const isKubernetesName = /^k8s\..+\.name$/;
const identities = new WeakMap<readonly Attribute[], readonly Attribute[]>();

interface PointsContext {
  readonly bucket: string;
  readonly histograms: IntervalHistograms;
  readonly scopes: ScopedMetrics;
  readonly gatherer: SampleGatherer;
  readonly tally: Tally;
  readonly metadata: MetadataSet;
  /** Attributes of the resource that become tags; absent: those that identify it. */
  readonly resourceNames: ReadonlySet<string> | undefined;
}

/** Adds the points of a metric. */
export function addMetric(found: ResourceMetric, context: PointsContext): void {
  const { resource, metric } = found;
  const { tally, resourceNames } = context;
  const { name, kind, points } = metric;
  if (kind !== "unknown") context.metadata.add(describeMetric(metric));
  const quoted = JSON.stringify(name.slice(0, 64));
  if (kind === "unknown") tally.refuse("kind", 1, `${quoted} is of an unknown kind`);
  const identity = identityOf(resource, resourceNames);
  const names = findNames(name, identity, context.scopes.tell(context.bucket, found));
  for (const point of points) {
    const fault = faultOf(kind, point, hasNoValue(point));
    if (fault) tally.refuse(fault.reason, 1, `${quoted} ${fault.text}`);
    else if (kind === "gauge" || kind === "sum") addNumber(point, names, context);
    else addPoint(metric, { point, names }, context);
  }
}

/** Attributes that become tags; found once per resource of a request, as it may have many. */
function identityOf(
  resource: readonly Attribute[],
  names: PointsContext["resourceNames"],
): readonly Attribute[] {
  const known = identities.get(resource);
  if (known) return known;
  const isTag = (name: string) =>
    names ? names.has(name) : identifying.has(name) || isKubernetesName.test(name);
  const identity = resource.filter(([name]) => isTag(name));
  identities.set(resource, identity);
  return identity;
}

/** Increments are no counter, of which queries take the rate. */
function describeMetric({
  name,
  kind,
  isCumulative,
  isMonotonic,
  description,
  unit,
}: Metric): MetricMetadata {
  const ofSum = isCumulative && isMonotonic ? "counter" : "gauge";
  const type = kind === "sum" ? ofSum : kind === "exponential" ? "histogram" : kind;
  return { name, type, help: description, unit };
}

function addNumber(point: DataPoint, names: MetricNames, { gatherer, tally }: PointsContext): void {
  const name = names.find(point.attributes, tally);
  if (name) gatherer.add(name, point.at, hasNoValue(point) ? undefined : point.value);
}

function addPoint(
  metric: Metric,
  { point, names }: { readonly point: DataPoint; readonly names: MetricNames },
  context: PointsContext,
): void {
  const { gatherer, tally } = context;
  const series = names.find(point.attributes, tally);
  if (!series) return;
  const isEnd = hasNoValue(point);
  for (const [suffix, value] of valuesOf(metric, { point, series, context }))
    if (isEnd || value !== undefined)
      gatherer.add(names.findPart(series, suffix), point.at, isEnd ? undefined : value);
}

function hasNoValue({ flags }: DataPoint): boolean {
  return (flags & NO_VALUE) !== 0;
}

interface Source {
  readonly point: DataPoint;
  readonly series: SeriesName;
  readonly context: PointsContext;
}

type Value = readonly [suffix: string, value: number | undefined];

function valuesOf({ kind, isCumulative }: Metric, { point, series, context }: Source): Value[] {
  const { count, sum, min, max } = point;
  const parts: Value[] = [
    ["_count", count],
    ["_sum", sum],
  ];
  if (kind === "summary")
    return [...parts, ...point.quantiles.map(({ quantile, value }) => [suffixOf(quantile), value] as const)];
  const bins =
    isCumulative && !hasNoValue(point)
      ? context.histograms.advance(keyOf(context.bucket, series), point)
      : binsOf(point);
  // Those of a cumulative point are of its whole life.
  const extremes: Value[] = isCumulative
    ? []
    : [
        ["_min", min],
        ["_max", max],
      ];
  const shares = quantiles.map((share) => [suffixOf(share), bins && quantileOf(bins, share)] as const);
  return [...parts, ...extremes, ...shares];
}

/** `_p99` of 0.99, `_p99_9` of 0.999. */
function suffixOf(quantile: number): string {
  const percent = String(Number((quantile * 100).toPrecision(12)));
  return `_p${percent.replace(".", "_")}`;
}

function keyOf(bucket: string, { metric, tags }: SeriesName): string {
  return JSON.stringify([bucket, metric, ...Object.entries(tags).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
