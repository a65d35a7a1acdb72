// The demo: a real server learns three months of taxi trips, forecasts days and looks for five known events. npm run demo
// With --live it watches a snow storm as it comes instead, and mails.
import { renderChart } from "../../src/cli/chart/chart.ts";
import { type Prediction, shareOf } from "../../src/cli/client/client.ts";
import { startProgress } from "../../src/cli/terminal/progress.ts";
import {
  countByChance,
  type Episode,
  type Forecast,
  findEpisodes,
  judge,
  measureErrors,
  spreadOrigins,
} from "./judge.ts";
import { runLive } from "./live.ts";
import { formatAt, formatCount, renderErrors, renderTimes, renderVerdict } from "./report.ts";
import { runOnStage, type Stage } from "./stage.ts";
import { DAY, readTaxi, STEP, type Taxi } from "./taxi.ts";

const BUCKET = "taxi";
const MODEL = "taxi-passengers";
const FEATURE = "passengers";
const FORECASTS = 14;
const MIN_FLAGGED = 3;

process.exitCode = process.argv.includes("--live") ? await runLive() : await runOnStage(playDemo);

async function playDemo(stage: Stage): Promise<void> {
  const { print } = stage;
  const taxi = await readTaxi();
  await loadPoints(stage, taxi);
  await trainModel(stage, taxi);
  const forecasts = await forecastDays(stage, taxi);
  const evaluation = await evaluateHalf(stage, taxi);
  const episodes = findEpisodes(evaluation.timestamps, evaluation.stats!);
  const verdict = judge(episodes, taxi.events);

  print("\nLine: observed. Shade: the range predicted for two points in three.");
  print("\nForecast of one day, with the day before it");
  print(drawForecast(stage, taxi, forecasts[forecasts.length / 2]!));
  const [event] = taxi.events;
  const margin = DAY * STEP;
  print(`\nObserved against the predicted band around an event (${event!.name})`);
  print(
    drawEvaluation(stage, { evaluation, episodes, taxi, from: event!.from - margin, to: event!.to + margin }),
  );
  const range = { from: taxi.times[taxi.half]!, to: taxi.times.at(-1)! + STEP };
  print("\nThe whole second half");
  print(drawEvaluation(stage, { evaluation, episodes, taxi, ...range }));

  print(
    `\nDetection: trained on the first half, without labels; ${formatAt(range.from)} on is new to the model\n`,
  );
  print(renderVerdict(verdict, range, countByChance(episodes, taxi.events, range)));
  print("\nForecast\n");
  print(renderErrors(measureErrors(taxi.values, forecasts), forecasts.length));
  print("\nTimes\n");
  print(renderTimes(stage.steps.times()));
  const flagged = verdict.found.filter(({ episodes }) => episodes.length > 0).length;
  demand(flagged >= MIN_FLAGGED, `only ${flagged} of ${taxi.events.length} events were flagged`);
}

async function loadPoints({ client, steps }: Stage, { times, values }: Taxi): Promise<void> {
  await steps.run("load", async () => {
    await client.putBucket({ name: BUCKET, type: "local" });
    const points = times.map((timestamp, i) => ({ timestamp, value: values[i]! }));
    await client.waitForJob(await client.write(BUCKET, points));
    return { value: undefined, note: `${formatCount(points.length)} points into the local bucket ${BUCKET}` };
  });
}

async function trainModel({ client, output, steps }: Stage, { times, half }: Taxi): Promise<void> {
  await steps.run("train", async () => {
    const feature = { name: FEATURE, metric: "avg", field: "value" };
    const settings = { name: MODEL, type: "donut", default_bucket: BUCKET, bucket_interval: "30m" };
    await client.createModel({ ...settings, features: [feature] });
    const id = await client.train(MODEL, { from: times[0]!, to: times[half]! });
    const line = startProgress("  train", output);
    const showJob = (job: Parameters<typeof shareOf>[0]) => {
      const [share, trials] = [shareOf(job), job.progress?.max_evals];
      const note = trials ? `${job.progress?.eval} of ${trials} trials decided` : undefined;
      line.update({ ...(share !== undefined && { share }), ...(note && { note }) });
    };
    await client.waitForJob(id, showJob).finally(() => line.end());
    const [model] = await client.call<{ state: { trained: boolean; span: number } }[]>(
      `GET /models/${MODEL}`,
    );
    demand(model!.state.trained, "the model does not say it is trained");
    const note = `model ${MODEL} on ${formatCount(half)} points, window of ${model!.state.span} intervals`;
    return { value: undefined, note };
  });
}

async function forecastDays(
  { client, steps }: Stage,
  taxi: Taxi,
): Promise<(Forecast & { answer: Prediction })[]> {
  return steps.run("forecast", async () => {
    const forecasts = [];
    for (const origin of spreadOrigins(taxi, FORECASTS)) {
      const from = taxi.times[origin]!;
      const answer = await client.forecast(MODEL, { from, to: from + DAY * STEP });
      checkPrediction(answer, taxi, { origin, length: DAY });
      forecasts.push({ origin, predicted: answer.predicted[FEATURE]!, answer });
    }
    return { value: forecasts, note: `${FORECASTS} days, spread evenly over the second half` };
  });
}

async function evaluateHalf({ client, steps }: Stage, taxi: Taxi): Promise<Prediction> {
  return steps.run("evaluate", async () => {
    const { times, half } = taxi;
    const length = times.length - half;
    const range = { from: times[half]!, to: times.at(-1)! + STEP };
    const answer = await client.evaluate(MODEL, { ...range, detect_anomalies: true });
    checkPrediction(answer, taxi, { origin: half, length });
    const scores = answer.stats?.map(({ score }) => score) ?? [];
    demand(scores.length === length, `${scores.length} scores for ${length} points`);
    demand(
      scores.every((score) => score >= 0 && score <= 100),
      "a score is not within 0 and 100",
    );
    return { value: answer, note: `${formatCount(length)} points scored` };
  });
}

/** The answer is complete, finite, in order, and shows the points that were written. */
function checkPrediction(
  { timestamps, observed, predicted }: Prediction,
  { times, values }: Taxi,
  { origin, length }: { origin: number; length: number },
): void {
  const columns = [FEATURE, `lower_${FEATURE}`, `upper_${FEATURE}`].map((name) => predicted[name] ?? []);
  for (const column of [timestamps, observed[FEATURE] ?? [], ...columns])
    demand(column.length === length, `an array has ${column.length} entries, not ${length}`);
  demand(columns.flat().every(Number.isFinite), "a prediction is not a finite number");
  const [center, lower, upper] = columns;
  for (const [i, time] of timestamps.entries()) {
    demand(time === times[origin + i], `point ${i} has the timestamp ${time}`);
    demand(observed[FEATURE]![i] === values[origin + i], `point ${i} is not what was written`);
    demand(lower![i]! <= center![i]! && center![i]! <= upper![i]!, `point ${i} lies outside of its band`);
  }
}

function drawForecast(
  stage: Stage,
  taxi: Taxi,
  { origin, answer }: Forecast & { answer: Prediction },
): string {
  const before = new Array<null>(DAY).fill(null);
  const band = {
    lower: [...before, ...answer.predicted[`lower_${FEATURE}`]!],
    upper: [...before, ...answer.predicted[`upper_${FEATURE}`]!],
  };
  const times = taxi.times.slice(origin - DAY, origin + DAY);
  const observed = taxi.values.slice(origin - DAY, origin + DAY);
  return renderChart({ times, observed, band }, { width: stage.width, height: 10, colour: stage.colour });
}

interface View {
  readonly evaluation: Prediction;
  readonly episodes: readonly Episode[];
  readonly taxi: Taxi;
  /** Seconds, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

function drawEvaluation(stage: Stage, { evaluation, episodes, taxi, from, to }: View): string {
  const { timestamps, observed, predicted } = evaluation;
  const within = (_: unknown, i: number) => timestamps[i]! >= from && timestamps[i]! < to;
  const chart = {
    times: timestamps.filter(within),
    observed: observed[FEATURE]!.filter(within),
    band: {
      lower: predicted[`lower_${FEATURE}`]!.filter(within),
      upper: predicted[`upper_${FEATURE}`]!.filter(within),
    },
    marks: [
      { name: "flagged", spans: episodes, flags: true },
      { name: "labelled", spans: taxi.events },
    ],
  };
  return renderChart(chart, { width: stage.width, height: 12, colour: stage.colour });
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise);
}
