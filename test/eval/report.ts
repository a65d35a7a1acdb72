// Tables of the evaluation, in Markdown.
import type { SetName } from "./arguments.ts";
import type { Results } from "./evaluation.ts";
import { type Measures, measureNames } from "./measures.ts";
import { type Alarms, addAlarms, eventQuality } from "./metrics/alarms.ts";
import { meanOf } from "./metrics/forecast.ts";
import { medianOf } from "./peers/median.ts";
import { trendDays } from "./sets/trends.ts";
import { formatMean, renderTable } from "./table.ts";

/** Episodes a week that automatic thresholds are meant to let normal data start. */
const EXPECTED_FALSE_ALARMS = 1;

/** Every table there are results for. */
export function renderReport(results: Results, sets: ReadonlySet<SetName>): string {
  const sections = [
    sets.has("50/50") && renderHalf(results.half),
    sets.has("nab") && renderNab(results.nab),
    sets.has("forecast") && renderForecast(results.forecast),
    sets.has("trends") && renderTrends(results.trends),
    sets.has("false-alarms") && renderAlarms(results),
    renderTimes(results),
  ];
  return sections.filter((section) => typeof section === "string" && section !== "").join("\n\n");
}

/** Values per detector, in the order they first come in. */
function byDetector<T extends { readonly detector: string }>(entries: readonly T[]): [string, T[]][] {
  return [...Map.groupBy(entries, ({ detector }) => detector)];
}

/** Means over the series of a run, one per seed. */
function meansBySeed<T extends { readonly seed?: number }>(
  entries: readonly T[],
  pick: (entry: T) => number | undefined,
): number[] {
  const runs = [...Map.groupBy(entries, ({ seed }) => seed).values()];
  return runs.flatMap((run) => meanOf(run.map(pick).filter((value) => value !== undefined)) ?? []);
}

function renderHalf(entries: Results["half"]): string {
  const labelled = entries.filter(({ measures }) => measures);
  const groups = [...Map.groupBy(labelled, ({ group }) => group)].sort(([a], [b]) => a.localeCompare(b));
  return groups
    .map(([group, own]) => {
      const rows = byDetector(own).map(([detector, runs]) => [
        detector,
        ...(Object.keys(measureNames) as (keyof Measures)[]).map((name) =>
          formatMean(
            meansBySeed(runs, ({ measures }) => measures?.[name]),
            3,
          ),
        ),
      ]);
      const series = new Set(own.map(({ series }) => series)).size;
      const title = `### 50/50, ${group}: mean over ${series} series with labels in the second half`;
      return `${title}\n\n${renderTable(["detector", ...Object.values(measureNames)], rows)}`;
    })
    .join("\n\n");
}

function renderNab(results: Results["nab"]): string {
  if (results.length === 0) return "";
  const rows = byDetector(results).map(([detector, runs]) => [
    detector,
    formatMean(
      meansBySeed(runs, ({ score }) => score),
      1,
    ),
    formatMean(
      meansBySeed(runs, ({ threshold }) => threshold),
      2,
    ),
    formatMean(
      meansBySeed(runs, ({ found }) => found),
      0,
    ),
    formatMean(
      meansBySeed(runs, ({ falsePositives }) => falsePositives),
      0,
    ),
  ]);
  const title = `### NAB score: ${results[0]!.windows} windows, one threshold for all files`;
  return `${title}\n\n${renderTable(["detector", "NAB score", "threshold", "windows found", "false positives"], rows)}`;
}

function renderForecast(entries: Results["forecast"]): string {
  if (entries.length === 0) return "";
  const names = [...new Set(entries.map(({ forecaster }) => forecaster))];
  const cell = (own: Results["forecast"], name: string) =>
    formatMean(
      meansBySeed(
        own.filter(({ forecaster }) => forecaster === name),
        ({ mase }) => mase,
      ),
      2,
    );
  const held = (own: Results["forecast"]) =>
    ["68", "90", "95"].map((level) =>
      formatMean(
        meansBySeed(own, ({ coverage }) => coverage?.[level]),
        2,
      ),
    );
  const bySeries = [...Map.groupBy(entries, ({ series }) => series)];
  const rows = [...bySeries, [`mean of ${bySeries.length}`, entries] as const].map(([series, own]) => [
    series,
    ...names.map((name) => cell([...own], name)),
    ...held(own),
  ]);
  const head = ["MASE", ...names, "68 % band holds", "90 %", "95 %"];
  return `### Forecast: one day ahead in 30-minute buckets\n\n${renderTable(head, rows)}`;
}

function renderTrends(entries: Results["trends"]): string {
  if (entries.length === 0) return "";
  const bySeries = [...Map.groupBy(entries, ({ series }) => series)];
  const cell = (own: Results["trends"], pick: (entry: Results["trends"][number]) => number | undefined) =>
    formatMean(meansBySeed(own, pick), 2);
  const rows = [...bySeries, [`mean of ${bySeries.length}`, entries] as const].map(([series, all]) => {
    const naive = all.filter(({ forecaster }) => forecaster !== "Torus");
    const own = all.filter(({ forecaster }) => forecaster === "Torus");
    const cells = trendDays.flatMap((_, k) => [
      cell(naive, ({ mase }) => mase[k]),
      cell(own, ({ mase }) => mase[k]),
      cell(own, ({ coverage }) => coverage?.[k]),
    ]);
    return [series, ...cells];
  });
  const head = trendDays.flatMap((day) => [`day ${day}: week-naive`, "Torus", "90 % band holds"]);
  return `### Trends: one month ahead, trained on one\n\n${renderTable(["MASE", ...head], rows)}`;
}

function renderAlarms({ half, nabFiles }: Results): string {
  const groups = [
    ...Map.groupBy(half, ({ group }) => `50/50, ${group}`),
    ["15 % of each file, nab", nabFiles] as const,
  ];
  const rows = groups.flatMap(([name, entries]) => {
    const alarms = entries.flatMap(({ alarms }) => alarms ?? []);
    return alarms.length === 0 ? [] : [[name, ...alarmCells(alarms)]];
  });
  if (rows.length === 0) return "";
  const head = [
    "trained on",
    "runs",
    "quiet weeks",
    "episodes a week",
    "recall",
    "precision",
    "F1",
    "median delay, points",
    "false a week",
    "median run",
    "runs with none",
  ];
  const title = `### Alarms by automatic thresholds; expected: ${EXPECTED_FALSE_ALARMS} false ones a week`;
  return `${title}\n\n${renderTable(head, rows)}`;
}

/** All runs together; and the middle one of them, for a few series hold most of the false alarms. */
function alarmCells(alarms: readonly Alarms[]): string[] {
  const all = addAlarms(alarms);
  const { episodes, falseAlarms, weeks, quietWeeks, delays } = all;
  const { recall, precision, f1 } = eventQuality(all);
  const rates = alarms.filter((own) => own.quietWeeks > 0).map((own) => own.falseAlarms / own.quietWeeks);
  return [
    String(alarms.length),
    quietWeeks.toFixed(1),
    (episodes / weeks).toFixed(2),
    recall.toFixed(2),
    precision.toFixed(2),
    f1.toFixed(3),
    delays.length > 0 ? String(medianOf(delays)) : "",
    (falseAlarms / quietWeeks).toFixed(2),
    medianOf(rates).toFixed(2),
    String(alarms.filter((own) => own.falseAlarms === 0).length),
  ];
}

function renderTimes({ half, nabFiles, forecast }: Results): string {
  const rows = Object.entries({ "50/50": half, nab: nabFiles, forecast }).flatMap(([set, entries]) => {
    const trainings = entries.flatMap(({ trainSeconds }) => trainSeconds ?? []);
    const scorings = entries.flatMap((entry) => ("scoreSeconds" in entry ? (entry.scoreSeconds ?? []) : []));
    if (trainings.length === 0) return [];
    return [[set, String(trainings.length), formatMean(trainings, 1), formatMean(scorings, 1)]];
  });
  if (rows.length === 0) return "";
  const head = ["set", "trainings", "seconds per training", "seconds per scoring"];
  return `### Times, mean ± deviation\n\n${renderTable(head, rows)}`;
}
