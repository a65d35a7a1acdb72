// Open series of the forecast evaluation: hourly to monthly files, and hours and half hours of the labelled ones.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { seasonalScale } from "../metrics/forecast.ts";
import { spreadOrigins } from "../peers/forecasts.ts";
import type { Grid, Series } from "../series.ts";
import { planForecast } from "../sets/forecast.ts";
import { everyMonths } from "./recipes/timeline.ts";

/** A series that is forecast from several origins. */
export interface OpenSeries {
  readonly name: string;
  readonly group: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  /** NaN: missing. */
  readonly values: ArrayLike<number>;
  readonly horizon: number;
  /** Points of a season; 1: none. */
  readonly season: number;
  readonly origins: readonly number[];
  /** Earlier ones from which the bands are judged as well: of a single origin the values are held, or not, together. */
  readonly earlier?: readonly number[];
  /** Points before an origin that are used. */
  readonly memory: number;
  /** Mean absolute error of repeating a season, in the training part. */
  readonly scale: number;
}

interface Task {
  readonly horizon: number;
  readonly season: number;
  readonly train: number;
}

/** By the prefix of a file's name; `train` in points, where it is absent all but the last horizon. */
const tasks: Readonly<Record<string, { group: string; horizon: number; season: number; train?: number }>> = {
  m4_H: { group: "hourly", horizon: 48, season: 24 },
  d_: { group: "daily", horizon: 28, season: 7, train: 700 },
  m4_W: { group: "weekly", horizon: 13, season: 52 },
  w_co2: { group: "weekly", horizon: 26, season: 52, train: 750 },
  m_: { group: "monthly", horizon: 12, season: 12, train: 96 },
};
/** A season that is seen less often is none. */
const MIN_CYCLES = 2;
/** Origins that bands are judged from at least, where the history before them has two seasons. */
const BAND_ORIGINS = 6;

/** @throws Error naming a file without a task. @returns undefined where the folder is absent */
export async function readOpenSeries(folder: string): Promise<OpenSeries[] | undefined> {
  if (!existsSync(folder)) return undefined;
  const files = [...new Bun.Glob("*.csv").scanSync(folder)].sort();
  return Promise.all(files.map(async (file) => toOpen(file, await Bun.file(join(folder, file)).text())));
}

function toOpen(file: string, text: string): OpenSeries {
  const name = file.replace(/\.csv$/, "");
  const prefix = Object.keys(tasks).find((start) => name.startsWith(start));
  if (prefix === undefined) throw new Error(`${file}: no task for a name like this`);
  const rows = text
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(",").map(Number) as [number, number]);
  const values = rows.map(([, value]) => value);
  const { group, horizon, season, train = values.length - horizon } = tasks[prefix]!;
  // The times of the monthly files are made up, 30 days apart: calendar months are what they stand for.
  const month = everyMonths(1, "2004-01-01");
  const times = rows.map(([at], i) => (group === "monthly" ? month(i) : at));
  const task = { horizon, train, season: train >= MIN_CYCLES * season ? season : 1 };
  return { name, group, times, values, ...planRolling(values, task), memory: values.length };
}

/** Origins one horizon apart, from the end of the training part on. */
function planRolling(values: readonly number[], { horizon, season, train }: Task) {
  const count = Math.max(1, Math.floor((values.length - train) / horizon));
  const origins = Array.from({ length: count }, (_, k) => train + k * horizon);
  const earlier = Array.from(
    { length: Math.max(0, BAND_ORIGINS - count) },
    (_, k) => train - (k + 1) * horizon,
  );
  return {
    horizon,
    season,
    origins,
    earlier: earlier.filter((origin) => origin >= MIN_CYCLES * season + horizon),
    scale: seasonalScale(values.slice(0, train), season) ?? 1,
  };
}

const DAY_SECONDS = 86_400;
/** Origins of a labelled series, spread over its second half, and the days before one that are used. */
const DAY_ORIGINS = 6;
const MEMORY_DAYS = 8 * 7;

/** The series of the set `forecast`, a day ahead from fewer origins. */
export function makeHalfHours(series: readonly Series[]): OpenSeries[] {
  return series.flatMap((one) => {
    const task = planForecast(one);
    return task ? [toDays(one.name, "half-hourly", task)] : [];
  });
}

/** Sets of which the hours are forecast, of series of two weeks and more. */
const hourlySets = ["cloud", "nab"];
const HOURS = { bucketSeconds: 3600, minDays: 14 };

/** Hours of the labelled series, a day ahead. Generated ones are left out: without noise their scale is next to nothing. */
export function makeHours(series: readonly Series[]): OpenSeries[] {
  const chosen = series.filter(
    ({ group, name }) => hourlySets.includes(group) && !name.includes("artificial"),
  );
  return chosen.flatMap((one) => {
    const task = planForecast(one, HOURS);
    return task ? [toDays(one.name, `${one.group}, hourly`, task)] : [];
  });
}

function toDays(
  name: string,
  group: string,
  { values, step, startAt, scale }: Grid & { readonly scale: number },
) {
  const day = DAY_SECONDS / step;
  return {
    name,
    group,
    times: Array.from(values, (_, i) => startAt + i * step),
    values,
    horizon: day,
    season: day,
    origins: spreadOrigins({ from: values.length >> 1, to: values.length - day, count: DAY_ORIGINS }),
    memory: MEMORY_DAYS * day,
    scale,
  };
}
