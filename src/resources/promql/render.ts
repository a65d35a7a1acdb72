// Results as JSON of Prometheus's HTTP API, in pieces: values are texts, times seconds.
import type { Labels } from "../../promql/labels.ts";
import { formatNumber } from "../../promql/language/literals.ts";
import type { QueryResult, ResultSeries } from "../../promql/query.ts";

/** Bytes of a sample, about, and of the marks around a text. */
const [SAMPLE_BYTES, MARKS] = [28, 3];
/** Characters of a piece, at least. */
const PIECE_LENGTH = 256 * 1024;
/** Samples that are written at once. */
const SAMPLES_AT_ONCE = 5000;

/** `{"status":"success","data":...}` */
export function* renderData(data: unknown): Generator<string> {
  yield JSON.stringify({ status: "success", data });
}

/** @param warnings what is missing in the result */
export function renderResult(result: QueryResult, warnings: Iterable<string> = []): Generator<string> {
  return inPieces(() => textsOf(result, [...warnings]));
}

function* textsOf(result: QueryResult, warnings: readonly string[]): Generator<string> {
  yield `{"status":"success","data":{"resultType":"${result.type}","result":`;
  if (result.type === "scalar") yield renderSample(result.at, result.value);
  else if (result.type === "string") yield `[${result.at / 1000},${JSON.stringify(result.value)}]`;
  else yield* renderList(result.series, result.type === "matrix");
  yield warnings.length > 0 ? `},"warnings":${JSON.stringify(warnings)}}` : "}}";
}

/** Texts as a list. */
export function renderTexts(texts: readonly string[]): Generator<string> {
  return renderEach(texts, (text) => JSON.stringify(text));
}

/** Label sets, one object each. */
export function renderLabelSets(sets: readonly Labels[]): Generator<string> {
  return renderEach(sets, (labels) => JSON.stringify(Object.fromEntries(labels)));
}

function* renderEach<T>(list: readonly T[], render: (entry: T) => string): Generator<string> {
  yield* inPieces(function* () {
    yield '{"status":"success","data":[';
    for (const [i, entry] of list.entries()) yield `${i > 0 ? "," : ""}${render(entry)}`;
    yield "]}";
  });
}

/** Joins short texts, as each piece takes a turn of the event loop. */
function* inPieces(texts: () => Iterable<string>): Generator<string> {
  let piece = "";
  for (const text of texts()) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

/** Bytes of the JSON of a result, about: those of each series, one after the other, as many take long to count. */
export function* bytesOfResult(result: QueryResult): Generator<number> {
  if (result.type === "scalar") yield SAMPLE_BYTES;
  else if (result.type === "string") yield bytesOfText(result.value);
  else
    for (const { labels, values } of result.series) {
      let bytes = bytesOfLabels(labels);
      for (const value of values) bytes += bytesOfSample(value);
      yield bytes;
    }
}

/** Without an exponent, numbers far from 1 have many digits. */
function bytesOfSample(value: number): number {
  const size = Math.abs(value);
  const isShort = size === 0 || !Number.isFinite(size) || (size >= 1e-6 && size < 1e21);
  return SAMPLE_BYTES + (isShort ? 0 : Math.abs(Math.log10(size)));
}

/** Bytes of the JSON of a label set, about. */
export function bytesOfLabels(labels: Labels): number {
  let bytes = MARKS;
  for (const [name, value] of labels) bytes += bytesOfText(name) + bytesOfText(value);
  return bytes;
}

/** Bytes of a text in JSON, about: other letters and escapes take more. */
export function bytesOfText({ length }: string): number {
  return length + MARKS;
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
