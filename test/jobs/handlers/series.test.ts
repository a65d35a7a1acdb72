// Jobs on a posted series: which detectors run, on which lane, and the answer.
import { expect, test } from "bun:test";
import { seriesDetectionHandler, seriesForecastHandler } from "../../../src/jobs/handlers/series.ts";
import type { HandlerDeps } from "../../../src/jobs/queue/handler.ts";
import type { DetectJob, SeriesForecastJob } from "../../../src/jobs/queue/input.ts";
import type { Compute, EvaluateInput, ModelKind, TrainInput } from "../../../src/models/kind.ts";

const HISTORY = 9;
const column = Array.from({ length: 60 }, (_, i) => (i === 30 ? null : (i % 6) + (i === 59 ? 20 : 0)));
const places = [...column.keys()].filter((i) => i !== 30);
const detection: DetectJob = {
  column,
  places,
  period: 6,
  mode: "entire",
  detector: "ensemble",
  sensitivity: 95,
  maxAnomalyRatio: 0.25,
  anomalyType: "low_high",
};
const forecast: SeriesForecastJob = {
  column,
  period: 6,
  missing: 1,
  horizon: 2,
  levels: [0.68, 0.95],
  forecaster: "donut",
  step: { kind: "fixed", ms: 60_000 },
  lastAt: 59 * 60_000,
};

/** Handlers whose network expects 3 everywhere, and what it was asked. */
function createHandlers() {
  const lanes: string[] = [];
  const seen: { train: TrainInput[]; evaluate: EvaluateInput[] } = { train: [], evaluate: [] };
  const fill = (length: number, value: number) => ({ value: new Float64Array(length).fill(value) });
  const quickTrainer = {
    kind: "donut",
    historyOf: () => HISTORY,
    train: async (given, { compute, signal }) => {
      seen.train.push(given);
      await compute.run({ kind: "train" } as never, { lane: "prediction", signal });
      return { weights: new Float32Array(1), parameters: {}, summary: { forecast_error: 0.5 } };
    },
    evaluate: async (_, given) => {
      seen.evaluate.push(given);
      const length = given.grid.length - HISTORY;
      const scores = Array.from({ length }, () => ({ score: 77, features: {}, mse: null, nll: null }));
      return {
        grid: given.grid,
        predicted: fill(length, 3),
        lower: fill(length, 2),
        upper: fill(length, 4),
        scores,
        rejected: {},
      };
    },
    forecast: async (_, { history, horizon, levels }) => ({
      grid: { ...history, length: horizon },
      predicted: fill(horizon, 3),
      lower: fill(horizon, 2),
      upper: fill(horizon, 4),
      bands: levels.map(() => ({ lower: fill(horizon, 1), upper: fill(horizon, 5) })),
    }),
  } as Partial<ModelKind> as ModelKind;
  const compute = {
    trainingLanes: 1,
    run: (_: unknown, { lane }: { lane: string }) => Promise.resolve(lanes.push(lane)),
  } as unknown as Compute;
  const context = { signal: new AbortController().signal, onProgress: () => {} };
  const deps = { quickTrainer, compute } as HandlerDeps;
  const job = { id: "j", model: null, attempt: 1 } as const;
  const detect = (input: DetectJob) =>
    seriesDetectionHandler(deps)({ ...job, type: "prediction", input }, context);
  const forecast = (input: SeriesForecastJob) =>
    seriesForecastHandler(deps)({ ...job, type: "forecast", input }, context);
  return { handlers: { detect, forecast }, seen, lanes };
}

test("the ensemble trains one trial on the posted points, on the training lane", async () => {
  const { handlers, seen, lanes } = createHandlers();
  const { result } = await handlers.detect(detection);
  expect(lanes).toEqual(["training"]);
  const [{ grid, overrides, settings }] = seen.train as [TrainInput];
  expect(overrides).toEqual({ maxEvals: 1 });
  expect(Array.from(grid.columns.value!, (value) => (Number.isNaN(value) ? null : value))).toEqual(column);
  // A window of a quarter of the points at most: there is something to learn from.
  expect(settings.max_span).toBe(14);
  expect(result).toMatchObject({ period: 6, missing: 1 });
  const { expectedValues, isAnomaly } = result as { expectedValues: number[]; isAnomaly: boolean[] };
  expect([expectedValues.length, isAnomaly.at(-1)]).toEqual([59, true]);
});

test("of the last point nothing is learnt, and the score is that of all detectors together", async () => {
  const { handlers, seen } = createHandlers();
  const { result } = await handlers.detect({ ...detection, mode: "last" });
  expect(seen.train[0]!.grid.length).toBe(59);
  expect(result).toMatchObject({ isPositiveAnomaly: true, score: 77 });
  // Scored alone, with nothing but its history before it: no burst of the past is held against it.
  const { grid } = seen.evaluate.at(-1)!;
  expect([grid.length, grid.columns.value!.at(-1)]).toEqual([HISTORY + 1, column[59]!]);
});

test("the companions alone ask no network", async () => {
  const { handlers, seen } = createHandlers();
  await handlers.detect({ ...detection, detector: "companions" });
  await handlers.forecast({ ...forecast, forecaster: "auto" });
  expect(seen.train).toEqual([]);
});

test("a network's forecast is shown as any other", async () => {
  const { handlers, lanes } = createHandlers();
  const { result } = await handlers.forecast(forecast);
  expect(lanes).toEqual(["training"]);
  expect(result).toEqual({
    period: 6,
    missing: 1,
    timestamps: [3600, 3660],
    predicted: [3, 3],
    lower: [2, 2],
    upper: [4, 4],
    levels: { "95": { lower: [1, 1], upper: [5, 5] } },
    forecast_error: 0.5,
  });
});
