// Prints how long detections and forecasts of a request's own points take, and how long they hold the event loop.
import type { DetectJob, SeriesForecastJob } from "../../src/jobs/input.ts";
import type { Submission } from "../../src/jobs/queue.ts";
import { runDetection, runForecast } from "../../src/jobs/series.ts";
import { createDetections } from "../../src/resources/detections.ts";
import { defaultLimits } from "../../src/resources/limits.ts";
import { createRandom } from "../../wasm/random.ts";

const RUNS = Number(Bun.argv[2] ?? 9);
const STEP_MS = 300_000;
const DAY = 288;
const startAt = Date.UTC(2026, 0, 1);
const { signal } = new AbortController();
/** What is too large for a request is run all the same. */
async function submit(...[submission]: Submission[]): Promise<string[]> {
  if (submission?.type === "prediction") await runDetection(submission.input as DetectJob, signal);
  else await runForecast(submission?.input as SeriesForecastJob, signal);
  return ["job"];
}
const detections = createDetections({
  limits: defaultLimits,
  clock: { now: () => startAt },
  queue: { submit },
});

function makeBody(points: number) {
  const random = createRandom(points);
  const series = Array.from({ length: points }, (_, i) => ({
    timestamp: new Date(startAt + i * STEP_MS).toISOString(),
    value: 100 + 30 * Math.sin((2 * Math.PI * i) / DAY) + random.normal(),
  }));
  return { series, granularity: "minutely", customInterval: 5 };
}

/** Time of `work` and the longest time the event loop was held, both in ms. */
async function time(work: () => Promise<unknown>): Promise<{ took: number; held: number }> {
  let held = 0;
  let lastAt = performance.now();
  const note = () => {
    held = Math.max(held, performance.now() - lastAt);
    lastAt = performance.now();
  };
  const ticker = setInterval(note, 0);
  const begunAt = performance.now();
  await work();
  note();
  clearInterval(ticker);
  return { took: performance.now() - begunAt, held };
}

const medianOf = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;

for (const points of [200, 2000, 20_000, 100_000]) {
  const body = makeBody(points);
  const works: [string, () => Promise<unknown>][] = [
    ["_detect, entire", () => detections.detect(body, { signal })],
    ["_detect, last", () => detections.detect({ ...body, mode: "last" }, { signal })],
    ["_predict", () => detections.predict(body, { signal })],
  ];
  for (const [label, work] of works) {
    const runs = [];
    for (let i = 0; i < RUNS; i++) runs.push(await time(work));
    const took = medianOf(runs.map((run) => run.took)).toFixed(0);
    const held = medianOf(runs.map((run) => run.held)).toFixed(0);
    console.log(`${points} points, ${label}: median ${took} ms, event loop held ${held} ms`);
  }
}
