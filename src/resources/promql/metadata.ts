// Metadata of metrics for PromQL: those of models, and what senders have said of the metrics of each bucket, merged.
import { isStoredHere } from "../../buckets/index.ts";
import type { MetricMetadata } from "../../core/series/metric-metadata.ts";
import { badData } from "../../promql/errors.ts";
import type { Budget } from "../../promql/evaluate/budget.ts";
import { listBuckets } from "../../store/buckets.ts";
import type { BucketSeriesDeps } from "./bucket-series.ts";
import { metricOf, modelMetrics } from "./model-series.ts";
import { metricName } from "./names.ts";
import { bytesOfText } from "./render.ts";

type Described = Omit<MetricMetadata, "name">;
type ByMetric = Record<string, Described[]>;

interface MetadataRequest {
  readonly params: URLSearchParams;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Metrics of models first; of several buckets what differs. @throws PromqlError `bad_data`, `execution`; TorusError `bucket_*` */
export async function collectMetadata(
  { store, openBucket }: BucketSeriesDeps,
  { params, budget, signal }: MetadataRequest,
): Promise<ByMetric> {
  const [limit, perMetric] = [readWhole(params, "limit"), readWhole(params, "limit_per_metric")];
  const metric = params.get("metric");
  const found: ByMetric = Object.create(null);
  let count = 0;
  const add = (name: string, described: Described) => {
    const known = found[name] ?? [];
    if (metric && name !== metric) return;
    if (known.length === 0 && limit >= 0 && count >= limit) return;
    if ((perMetric > 0 && known.length >= perMetric) || known.some((one) => areEqual(one, described))) return;
    budget.take("answer", bytesOfText(name + described.help + described.unit));
    if (known.length === 0) count++;
    found[name] = [...known, described];
  };
  for (const [column, help] of Object.entries(modelMetrics))
    add(metricOf(column as keyof typeof modelMetrics), { type: "gauge", help, unit: "" });
  for (const { name, settings } of await listBuckets(store)) {
    if (!isStoredHere(settings)) continue;
    const bucket = await openBucket(name);
    for (const { name, type, help, unit } of (await bucket.listMetadata?.(signal)) ?? [])
      add(metricName("", name), { type, help, unit });
    await budget.pace();
  }
  return found;
}

function areEqual(a: Described, b: Described): boolean {
  return a.type === b.type && a.help === b.help && a.unit === b.unit;
}

/** @returns -1 where it is not given */
function readWhole(params: URLSearchParams, name: string): number {
  const text = params.get(name) ?? "";
  if (text === "") return -1;
  if (!/^[+-]?\d{1,15}$/.test(text)) throw badData(`${name} must be a number`);
  return Number(text);
}
