// Answers to random queries of this server beside those of a real Prometheus with the same points.
import { parseQuery } from "../../src/promql/language/parse.ts";
import { startTestServer } from "../contract/server.ts";
import { startPrometheus } from "../support/prometheus.ts";
import { push } from "../support/remote-write.ts";
import { FROM_S, makeSamples, makeSpecialSeries, toLines, toOpenMetrics } from "./points.ts";
import { randomQueries } from "./random-queries.ts";

const BUCKET = "metrics";
/** Relative difference of sums in another order. */
const TOLERANCE = 1e-8;
const range = { start: FROM_S + 1000, end: FROM_S + 5000, step: 97 };
const instant = { time: FROM_S + 5000 };

export interface Difference {
  readonly query: string;
  readonly found: string;
  readonly wanted: string;
}

export interface Differential {
  readonly differences: readonly Difference[];
  /** Queries that are answered in another way on purpose. */
  readonly intended: number;
  /** Queries that both answered, with a result. */
  readonly answered: number;
  /** Queries that both refused. */
  readonly refused: number;
}

interface Answer {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly resultType: string; readonly result: readonly Series[] };
}
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value?: readonly [number, string];
  readonly values?: readonly (readonly [number, string])[];
}

/** Asks both servers `count` queries, at an instant and over a range by turns. */
export async function compareRandom(seed: number, count: number): Promise<Differential> {
  const samples = makeSamples();
  const [prometheus, torus] = await Promise.all([
    startPrometheus({ points: toOpenMetrics(samples, BUCKET) }),
    startTestServer({ settings: `buckets: [{name: ${BUCKET}, type: local}]` }),
  ]);
  try {
    const lines = `${torus.url}/write?db=${BUCKET}&precision=s`;
    await fetch(lines, { method: "POST", body: toLines(samples) });
    await pushSpecial(`${torus.url}/api/v1/write?bucket=${BUCKET}`);
    await pushSpecial(`http://${prometheus.addr}/api/v1/write`, { bucket: BUCKET });
    return await compareAll([`${torus.url}/prometheus`, `http://${prometheus.addr}`], { seed, count });
  } finally {
    await Promise.all([torus.stop(), prometheus.stop()]);
  }
}

async function pushSpecial(url: string, labels: Readonly<Record<string, string>> = {}): Promise<void> {
  const series = makeSpecialSeries().map((one) => ({
    ...one,
    labels: { ...one.labels, ...labels } as const,
  }));
  const { status } = await push(url, 1, series);
  if (status !== 204) throw new Error(`${url} answered ${status}`);
}

async function compareAll(
  bases: readonly string[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Promise<Differential> {
  const differences: Difference[] = [];
  let [answered, refused, intended] = [0, 0, 0];
  for (const [i, query] of randomQueries(seed).take(count).toArray().entries()) {
    const [path, times] = i % 2 === 0 ? ["query", instant] : ["query_range", range];
    const params = new URLSearchParams({ query, ...mapValues(times) });
    const ask = async (base: string) => (await fetch(`${base}/api/v1/${path}?${params}`)).json();
    const [own, theirs] = (await Promise.all(bases.map(ask))) as [Answer, Answer];
    if (!isSame(own, theirs)) {
      const [found, wanted] = [own, theirs].map((answer) => JSON.stringify(answer.data ?? answer.status));
      if (own.status === "success" && isIntended(query)) intended++;
      else differences.push({ query: `${path}: ${query}`, found: found!, wanted: wanted! });
    } else if (theirs.status !== "success") refused++;
    else if (theirs.data!.result.length > 0) answered++;
  }
  return { differences, intended, answered, refused };
}

function mapValues(times: object): Record<string, string> {
  return Object.fromEntries(Object.entries(times).map(([name, value]) => [name, String(value)]));
}

/** Whether answers are the same but for the order of series, the words of an error and the last digits of numbers. */
function isSame(own: Answer, theirs: Answer): boolean {
  if (own.status !== theirs.status || !own.data || !theirs.data) return own.status === theirs.status;
  const { resultType, result } = own.data;
  if (resultType !== theirs.data.resultType) return false;
  if (resultType !== "vector" && resultType !== "matrix")
    return JSON.stringify(result) === JSON.stringify(theirs.data.result);
  const [found, wanted] = [valuesOf(result), valuesOf(theirs.data.result)];
  return (
    found.size === wanted.size &&
    [...found].every(([labels, values]) => {
      const others = wanted.get(labels);
      return (
        others?.length === values.length &&
        values.every(([at, text], i) => at === others[i]![0] && isNear(text, others[i]![1]))
      );
    })
  );
}

type Values = readonly (readonly [number, string])[];

function valuesOf(result: readonly Series[]): ReadonlyMap<string, Values> {
  return new Map(
    result.map(({ metric, value, values = [value!] }) => [
      JSON.stringify(Object.entries(metric).sort()),
      values,
    ]),
  );
}

function isNear(found: string, wanted: string): boolean {
  const [a, b] = [Number(found), Number(wanted)];
  return found === wanted || Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b));
}

/**
 * A subquery at a fixed time within another one: where the first steps of both are the same, Prometheus 2.42 looks at
 * another time than the fixed one, and finds nothing.
 */
function isIntended(query: string): boolean {
  const visit = (node: unknown, isWithin: boolean): boolean => {
    if (typeof node !== "object" || node === null) return false;
    const { type, at } = node as { readonly type?: string; readonly at?: unknown };
    if (type === "subquery" && isWithin && at !== undefined) return true;
    return Object.values(node).some((part) => visit(part, isWithin || type === "subquery"));
  };
  return visit(parseQuery(query), false);
}
