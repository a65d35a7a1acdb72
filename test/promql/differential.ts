// Answers to random queries of this server beside those of a real Prometheus with the same points.
import { startTestServer } from "../contract/server.ts";
import { startPrometheus } from "../support/prometheus.ts";
import { push } from "../support/remote-write.ts";
import { FROM_S, makeSamples, makeSpecialSeries, toLines, toOpenMetrics } from "./points.ts";
import { randomQueries } from "./random-queries.ts";

const BUCKET = "metrics";
/** Digits that sums in another order agree in. */
const DIGITS = 8;
const range = { start: FROM_S + 1000, end: FROM_S + 5000, step: 97 };
const instant = { time: FROM_S + 5000 };

export interface Difference {
  readonly query: string;
  readonly found: string;
  readonly wanted: string;
}

export interface Differential {
  readonly differences: readonly Difference[];
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
  let [answered, refused] = [0, 0];
  for (const [i, query] of randomQueries(seed).take(count).toArray().entries()) {
    const [path, times] = i % 2 === 0 ? ["query", instant] : ["query_range", range];
    const params = new URLSearchParams({ query, ...mapValues(times) });
    const ask = async (base: string) => (await fetch(`${base}/api/v1/${path}?${params}`)).json();
    const [own, theirs] = (await Promise.all(bases.map(ask))) as [Answer, Answer];
    const [found, wanted] = [normalize(own), normalize(theirs)];
    if (found !== wanted) differences.push({ query: `${path}: ${query}`, found, wanted });
    else if (theirs.status !== "success") refused++;
    else if (theirs.data!.result.length > 0) answered++;
  }
  return { differences, answered, refused };
}

function mapValues(times: object): Record<string, string> {
  return Object.fromEntries(Object.entries(times).map(([name, value]) => [name, String(value)]));
}

/** Without the order of series, and the words of an error. */
function normalize({ status, data }: Answer): string {
  if (status !== "success" || !data) return status;
  if (data.resultType !== "vector" && data.resultType !== "matrix") return JSON.stringify(data);
  const series = data.result.map(({ metric, value, values = [value!] }) => [
    JSON.stringify(Object.entries(metric).sort()),
    values.map(([at, text]) => [at, /\d/.test(text) ? Number(Number(text).toPrecision(DIGITS)) : text]),
  ]);
  return JSON.stringify([data.resultType, series.map((one) => JSON.stringify(one)).sort()]);
}
