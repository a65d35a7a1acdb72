// Results as JSON of Prometheus's HTTP API, in pieces: values are texts, times seconds.
import type { Labels } from "../../promql/labels.ts";
import { formatNumber } from "../../promql/language/literals.ts";
import type { QueryResult, ResultSeries } from "../../promql/query.ts";

/** Samples of a piece. */
const SAMPLES_AT_ONCE = 5000;

/** `{"status":"success","data":...}` */
export function* renderData(data: unknown): Generator<string> {
  yield JSON.stringify({ status: "success", data });
}

export function* renderResult(result: QueryResult): Generator<string> {
  yield `{"status":"success","data":{"resultType":"${result.type}","result":`;
  if (result.type === "scalar") yield renderSample(result.at, result.value);
  else if (result.type === "string") yield `[${result.at / 1000},${JSON.stringify(result.value)}]`;
  else yield* renderList(result.series, result.type === "matrix");
  yield "}}";
}

/** Label sets, one object each. */
export function* renderLabelSets(sets: readonly Labels[]): Generator<string> {
  yield '{"status":"success","data":[';
  for (let at = 0; at < sets.length; at += SAMPLES_AT_ONCE) {
    const part = sets
      .slice(at, at + SAMPLES_AT_ONCE)
      .map((labels) => JSON.stringify(Object.fromEntries(labels)));
    yield `${at > 0 ? "," : ""}${part.join(",")}`;
  }
  yield "]}";
}

function* renderList(series: readonly ResultSeries[], isMatrix: boolean): Generator<string> {
  yield "[";
  for (const [i, { labels, times, values }] of series.entries()) {
    const metric = JSON.stringify(Object.fromEntries(labels));
    yield `${i > 0 ? "," : ""}{"metric":${metric},`;
    if (!isMatrix) yield `"value":${renderSample(times[0]!, values[0]!)}}`;
    else yield* renderValues(times, values);
  }
  yield "]";
}

function* renderValues(times: Float64Array, values: Float64Array): Generator<string> {
  yield '"values":[';
  for (let at = 0; at < times.length; at += SAMPLES_AT_ONCE) {
    let piece = at > 0 ? "," : "";
    const to = Math.min(times.length, at + SAMPLES_AT_ONCE);
    for (let i = at; i < to; i++) piece += `${i > at ? "," : ""}${renderSample(times[i]!, values[i]!)}`;
    yield piece;
  }
  yield "]}";
}

function renderSample(at: number, value: number): string {
  return `[${at / 1000},"${formatNumber(value)}"]`;
}
