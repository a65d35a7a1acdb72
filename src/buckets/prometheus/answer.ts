// Answers of the Prometheus query API, validated to the last sample before any of it counts as data.
import { isRecord } from "../../core/input/json.ts";
import { groupKeyOf, NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { Client } from "../../net/fetch.ts";
import { garblerOf } from "../shared/connection.ts";

const garbled = garblerOf("Prometheus");
const NATIVE =
  "answers native histograms, which are no numbers; give a query, as in histogram_quantile(0.95, ...)";

/** One series: its labels as canonical JSON, and its samples. */
export interface Series {
  readonly labels: string;
  /** ms since the epoch, ascending. */
  readonly times: Float64Array;
  /** NaN where the value is NaN or infinite. */
  readonly values: Float64Array;
}

/** The group of a series, by its labels. */
export function findGroup({ labels }: Pick<Series, "labels">, groupBy: readonly string[]): string {
  if (groupBy.length === 0) return NO_GROUP;
  const values = new Map(JSON.parse(labels) as [string, unknown][]);
  return groupKeyOf(groupBy.map((label) => values.get(label)));
}

/**
 * Reads an answer of `/query` or `/query_range`: a matrix, or a vector as series of one sample each.
 * @throws TorusError `bucket_rejected` for a partial answer, `bucket_unavailable` for a malformed answer
 */
export function readSeries(client: Client, text: string): Series[] {
  const data = readData(client, text) as { result?: unknown } | null;
  if (!Array.isArray(data?.result)) throw garbled(client);
  return data.result.map((series) => {
    if (series?.histograms || series?.histogram) throw client.refuse("bucket_rejected", NATIVE);
    const samples: unknown = series?.values ?? (series?.value && [series.value]);
    if (!isRecord(series?.metric) || !areSamples(samples)) throw garbled(client);
    return toSeries(series.metric, samples);
  });
}

/** The `data` of a complete answer. @throws as `readSeries` */
export function readData(client: Client, text: string): unknown {
  const answer = parse(text);
  if (!isRecord(answer) || answer.status !== "success" || answer.data === undefined)
    throw garbled(client, text);
  const { warnings, isPartial } = answer;
  if (isPartial || (Array.isArray(warnings) && warnings.length > 0)) {
    const said = Array.isArray(warnings) ? String(warnings[0]) : "marked as partial";
    throw client.refuse("bucket_rejected", `sent only a part of the answer: ${said}`);
  }
  return answer.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Samples = readonly (readonly [seconds: number, value: string])[];

function areSamples(samples: unknown): samples is Samples {
  if (!Array.isArray(samples)) return false;
  return samples.every(
    (sample) =>
      Array.isArray(sample) &&
      sample.length === 2 &&
      Number.isFinite(sample[0]) &&
      typeof sample[1] === "string" &&
      isNumber(sample[1]),
  );
}

function isNumber(text: string): boolean {
  return text !== "" && (Number.isFinite(Number(text)) || /^([+-]?Inf|NaN)$/.test(text));
}

function toSeries(metric: Record<string, unknown>, samples: Samples): Series {
  const names = Object.keys(metric).sort();
  return {
    labels: JSON.stringify(names.map((name) => [name, metric[name]])),
    times: Float64Array.from(samples, ([seconds]) => Math.round(seconds * 1000)),
    values: Float64Array.from(samples, ([, value]) => Number(value)),
  };
}
