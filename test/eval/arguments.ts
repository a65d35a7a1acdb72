// Command line of the evaluation.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

export const setNames = ["50/50", "nab", "forecast", "trends", "false-alarms"] as const;
export type SetName = (typeof setNames)[number];

export interface Options {
  /** Folder of CSV files `timestamp,value,label`. */
  readonly data: string;
  readonly sets: ReadonlySet<SetName>;
  readonly seeds: readonly number[];
  /** Part of the names of the series to run on; absent: all. */
  readonly only?: string;
  /** File for everything that was measured. */
  readonly json?: string;
  /** No server: the simple peers alone. */
  readonly peersOnly: boolean;
  /** A handful of series, spread over the data. */
  readonly quick: boolean;
  /** Trainings side by side. */
  readonly workers: number;
  /** Settings file of the server; absent: defaults. */
  readonly config?: string;
  /** Measure fleets, on series that they have not seen, in place of the sets. */
  readonly fleet: boolean;
  /** Measure the constants of detection in place of the sets. */
  readonly constants: boolean;
  /** Part of the name of the constants; absent: all. */
  readonly constant?: string;
  /** Ask for the causes of incidents in generated systems, without a server. */
  readonly related: boolean;
  /** Judge forecasts without a server, in place of the sets. */
  readonly forecast: boolean;
  /** Judge dates of limits without a server, in place of the sets. */
  readonly capacity: boolean;
  /** Judge verdicts on everyday recipes and composed series without a server, in place of the sets. */
  readonly verdicts: boolean;
  /** Folder of the open series that are forecast. */
  readonly forecastData: string;
}

export const usage = `npm run eval -- [options]
  --data FOLDER    CSV files timestamp,value,label, also .gz; default test/data/eval
  --set NAME       ${setNames.join(", ")}; may be repeated; default all
  --only TEXT      series whose name holds TEXT
  --seeds N        trainings per series, with seeds 1..N; default 1
  --workers N      trainings side by side; default 2
  --config FILE    settings of the server; default: its defaults
  --quick          a handful of series
  --peers-only     no server, no training
  --fleet          series that no training has seen, fitted to a fleet, beside models of their own
  --constants      alternatives of every constant of detection, chosen by leaving one set out; takes an hour
  --constant TEXT  of those, the constants whose name holds TEXT
  --forecast       forecasts without a server: recipes whose continuation is known, and open series beside peers
  --capacity       dates of limits without a server: generated fills, and false alarms beside predict_linear
  --verdicts       verdicts without a server: recipes of everyday series with planted events, and composed ones
  --related        causes of incidents in generated systems, without a server: twelve systems per seed
  --forecast-data FOLDER  CSV files of the open series; default ../shared/data/forecast beside the project
  --json FILE      everything that was measured, per series`;

const root = join(import.meta.dir, "../..");

/** @throws Error that describes the invalid argument */
export function parseArguments(argv: readonly string[]): Options | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      data: { type: "string", default: join(import.meta.dir, "../data/eval") },
      set: { type: "string", multiple: true, default: [...setNames] },
      only: { type: "string" },
      seeds: { type: "string", default: "1" },
      workers: { type: "string", default: "2" },
      json: { type: "string" },
      config: { type: "string" },
      quick: { type: "boolean", default: false },
      fleet: { type: "boolean", default: false },
      constants: { type: "boolean", default: false },
      constant: { type: "string" },
      forecast: { type: "boolean", default: false },
      capacity: { type: "boolean", default: false },
      verdicts: { type: "boolean", default: false },
      related: { type: "boolean", default: false },
      "forecast-data": { type: "string", default: resolve(root, "../shared/data/forecast") },
      "peers-only": { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  const { data, only, json, config, quick, fleet, constant } = values;
  return {
    data,
    sets: new Set(values.set.flatMap((name) => name.split(",")).map(toSetName)),
    seeds: Array.from({ length: toCount("--seeds", values.seeds) }, (_, i) => i + 1),
    workers: toCount("--workers", values.workers),
    peersOnly: values["peers-only"],
    quick,
    fleet,
    constants: values.constants || constant !== undefined,
    forecast: values.forecast,
    capacity: values.capacity,
    verdicts: values.verdicts,
    related: values.related,
    forecastData: values["forecast-data"],
    ...(constant !== undefined && { constant }),
    ...(only !== undefined && { only }),
    ...(json !== undefined && { json }),
    ...(config !== undefined && { config }),
  };
}

function toSetName(name: string): SetName {
  const known = setNames.find((candidate) => candidate === name);
  if (!known) throw new Error(`--set ${name} is unknown: choose from ${setNames.join(", ")}`);
  return known;
}

function toCount(flag: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new Error(`${flag} must be a whole number, at least 1`);
  return count;
}
