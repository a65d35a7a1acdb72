// npm run eval: quality of detection and forecasts on labelled data, beside simple peers.
import { resolve } from "node:path";
import pack from "../../package.json" with { type: "json" };
import { type Options, parseArguments, usage } from "./arguments.ts";
import { evaluateCapacity } from "./capacity/evaluate.ts";
import { evaluateConstants } from "./constants/evaluate.ts";
import { runEvaluation } from "./evaluation.ts";
import { evaluateFleets } from "./fleet.ts";
import { evaluateForecasts } from "./forecast/evaluate.ts";
import { WINDOW } from "./peers/index.ts";
import { evaluateRelated } from "./related/evaluate.ts";
import { renderReport } from "./report.ts";
import { readFolder, type Series } from "./series.ts";
import { makeSynthetic } from "./sets/synthetic.ts";
import { makeTrends } from "./sets/trends.ts";
import { startTorus, type Torus } from "./torus.ts";
import { evaluateVerdicts } from "./verdicts/evaluate.ts";

const QUICK_SERIES = 5;
const FAILED = 1;
const WRONG_USE = 2;
const INTERRUPTED = 130;

process.exitCode = await main();

async function main(): Promise<number> {
  let options: Options | "help";
  try {
    options = parseArguments(process.argv.slice(2));
  } catch (error) {
    return fail(error, WRONG_USE);
  }
  if (options === "help") {
    console.log(usage);
    return 0;
  }
  return run(options).then(
    () => 0,
    (error) => fail(error, FAILED),
  );
}

function fail(error: unknown, exitCode: number): number {
  console.error(error instanceof Error ? error.message : String(error));
  return exitCode;
}

async function run(options: Options): Promise<void> {
  const onProgress = (text: string) => console.error(`  ${text}`);
  if (options.verdicts) {
    const { seeds, only, workers } = options;
    console.log(await evaluateVerdicts({ seeds, only, workers, onProgress }));
    return;
  }
  if (options.related) {
    console.log(await evaluateRelated(options.seeds, onProgress));
    return;
  }
  if (options.capacity) {
    console.log(evaluateCapacity({ seeds: options.seeds, onProgress }));
    return;
  }
  const known = await readFolder(resolve(options.data));
  if (options.forecast) {
    const { seeds, only, forecastData } = options;
    const folder = resolve(forecastData);
    const labelled = [...known, ...makeSynthetic(known)];
    console.log(await evaluateForecasts({ seeds, only, folder, labelled, onProgress }));
    return;
  }
  const series = choose([...known, ...makeSynthetic(known), ...makeTrends()], options);
  if (options.fleet) {
    const { seeds, workers } = options;
    console.log(await evaluateFleets({ series: choose(known, options), seeds, workers, onProgress }));
    return;
  }
  if (options.constants) {
    const { seeds, workers, constant } = options;
    console.log(await evaluateConstants({ series, seeds, workers, only: constant, onProgress }));
    return;
  }
  const startedAt = performance.now();
  const torus = options.peersOnly ? undefined : await startTorus(options);
  if (torus) stopOnSignal(torus);
  try {
    const { sets, seeds, workers } = options;
    const plan = { series, sets, seeds, workers, onProgress, ...(torus && { torus }) };
    const results = await runEvaluation(plan);
    const minutes = (performance.now() - startedAt) / 60_000;
    const facts = factsOf(options, { series: series.length, minutes });
    console.log(`${renderFacts(facts)}\n\n${renderReport(results, sets)}`);
    if (options.json) await Bun.write(options.json, JSON.stringify({ facts, ...results }, undefined, 1));
  } finally {
    await torus?.stop();
  }
}

/** The server and its folder go with an interrupted run. */
function stopOnSignal(torus: Torus): void {
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void torus.stop().finally(() => process.exit(INTERRUPTED)));
}

function choose(all: readonly Series[], { only, quick }: Options): Series[] {
  const named = all.filter(({ name }) => only === undefined || name.includes(only));
  if (named.length === 0) throw new Error(`no series has a name that holds ${only}`);
  const every = named.length / Math.min(QUICK_SERIES, named.length);
  return quick ? named.filter((_, i) => i % every < 1) : named;
}

type Facts = Readonly<Record<string, string>>;

function factsOf(options: Options, { series, minutes }: { series: number; minutes: number }): Facts {
  return {
    version: pack.version,
    bun: Bun.version,
    "onnxruntime-web": pack.dependencies["onnxruntime-web"],
    series: String(series),
    window: String(WINDOW),
    seeds: options.peersOnly ? "none" : options.seeds.join(", "),
    minutes: minutes.toFixed(1),
  };
}

function renderFacts(facts: Facts): string {
  const rest = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return `## Evaluation\n\n${rest.join("; ")}`;
}
