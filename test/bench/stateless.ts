// Benchmark: duration of stateless detections and forecasts, and their blocking of the event loop.
import { runDetection, runForecast } from "../../src/jobs/handlers/series.ts";
import type { DetectJob, SeriesForecastJob } from "../../src/jobs/queue/input.ts";
import type { Submission } from "../../src/jobs/queue/queue.ts";
import { medianOf } from "../../src/models/stats/median.ts";
import { Detections } from "../../src/resources/detections/index.ts";
import { defaultLimits } from "../../src/resources/shared/range.ts";
import { createRandom } from "../../wasm/random.ts";
import { type Part, type Row, runAlone } from "./part.ts";

const RUNS = 9;
const SIZES = [200, 2000, 20_000, 100_000];
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
const detections = new Detections({
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

export const stateless: Part = {
  name: "stateless",
  title: "Detections and forecasts of a request's own points, companions alone (goal: 2000 points in 200 ms)",
  run: async () => {
    const rows: Row[] = [];
    for (const points of SIZES) {
      const body = makeBody(points);
      const works: [string, () => Promise<unknown>][] = [
        ["_detect, entire", () => detections.detect(body, { signal })],
        ["_detect, last", () => detections.detect({ ...body, mode: "last" }, { signal })],
        ["_predict", () => detections.predict(body, { signal })],
      ];
      for (const [what, work] of works) {
        const runs = [];
        for (let i = 0; i < RUNS; i++) runs.push(await time(work));
        const wallMs = medianOf(runs.map(({ took }) => took));
        const heldMs = medianOf(runs.map(({ held }) => held));
        rows.push({ points, what, "wall ms": wallMs, "event loop held ms": heldMs });
      }
    }
    return rows;
  },
};

if (import.meta.main) await runAlone(stateless);
