// Commands of live detection: start, stop, anomalies and their feedback.
import type { AnomalyView } from "../../api/anomaly.ts";
import { describeValues } from "../../core/anomaly/reports/values-text.ts";
import { oddityOf } from "../../core/anomaly/reports/within-band.ts";
import { invalid } from "../../core/errors.ts";
import { formatSi } from "../../core/formats/readable.ts";
import { pathOf, type Query } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly, openRangeOptions, rangeQuery } from "../command/options.ts";
import { readSeries } from "../input/series.ts";
import { answerDone, answerTable, instantColumn, seriesColumns } from "../output/present.ts";
import { formatScore } from "../terminal/format.ts";
import { ALL_MODELS, resolveModels, runForEach, splitNames } from "../work/each-model.ts";

const names = { model: { description: "Model name; '*' = every model", many: true } } as const;

const start = defineCommand({
  name: "start-model",
  group: "live detection",
  summary: "Start live detection",
  arguments: names,
  options: {
    anomalies: { short: "a", description: "Detect anomalies and notify hooks" },
    save: { short: "s", description: "Save predicted and observed values" },
    output: { short: "o", value: "BUCKET", description: "Bucket to save to" },
  },
  examples: [["torus start-model trips --anomalies", "from now on, and after every restart of the server"]],
  async run(context, { arguments: { model }, options: { anomalies, save, output } }) {
    const query = definedOnly<string | boolean>({
      detect_anomalies: anomalies,
      save_output_data: save,
      output_bucket: output,
    });
    const done = anomalies ? "started" : "started without detection";
    const caution = anomalies ? "" : "no anomaly will be recorded: --anomalies turns detection on";
    return changeState(context, model, { verb: "_start", done, query, caution });
  },
});

const stop = defineCommand({
  name: "stop-model",
  group: "live detection",
  summary: "Stop live detection",
  arguments: names,
  examples: [["torus stop-model trips", "the model stays trained"]],
  async run(context, { arguments: { model } }) {
    return changeState(context, model, { verb: "_stop", done: "stopped", query: {} });
  },
});

interface StateChange {
  readonly verb: "_start" | "_stop";
  readonly done: string;
  readonly query: Query;
  /** For people, behind the success. */
  readonly caution?: string;
}

/** A list of names is one atomic request; `*` is one request per model, since some may not be trained yet. */
async function changeState(
  context: Context,
  words: readonly string[],
  { verb, done, query, caution }: StateChange,
) {
  const post = async (names: readonly string[]) => {
    await context.client.open(`POST ${pathOf("models", names)}/${verb}`, { query });
    return null;
  };
  const warn = () => void (caution && !context.globals.json && context.note(caution));
  const given = splitNames(words);
  if (!given.includes(ALL_MODELS)) {
    answerDone(context, await post(given), `${done} ${given.join(", ")}`);
    warn();
    return undefined;
  }
  const names = await resolveModels(context, given);
  const work = async (name: string) => {
    const answer = await post([name]);
    if (!context.globals.json) context.note(`${done} ${name}`);
    return answer;
  };
  const { results, exitCode } = await runForEach(context, names, { done, work });
  if (context.globals.json) context.answer(results);
  warn();
  return exitCode;
}

const listAnomalies = defineCommand({
  name: "list-anomalies",
  group: "live detection",
  summary: "List anomalies, newest first",
  arguments: { model: { description: "Model name; default: every model", optional: true } },
  options: {
    ...openRangeOptions,
    state: { value: "STATE", description: "open: ongoing anomalies; closed: ended ones" },
    origin: { value: "ORIGIN", description: "Found by: live, evaluation or backtest" },
    "min-score": {
      value: "SCORE",
      type: "number",
      description: "Only anomalies whose peak reached it, 0..100",
    },
    series: { value: "TAGS", description: "Only anomalies of series with these tags, as in host=a" },
    scope: { value: "SCOPE", choices: ["fleet"], description: "Only anomalies of many series at once" },
    limit: {
      value: "N",
      type: "integer",
      fallback: "100",
      description: "Maximum number of anomalies, up to 10000",
    },
  },
  examples: [
    ["torus list-anomalies trips --from now-7d", "start, end and peak of each"],
    ["torus list-anomalies --state open", "ongoing anomalies"],
  ],
  async run(context, { arguments: { model }, options }) {
    const path = model === undefined ? "" : pathOf("models", [model]);
    const { state, origin, scope, "min-score": min_score, limit = 100 } = options;
    const series = readSeries(options.series);
    const filter = definedOnly<string | number>({ state, origin, series, scope, min_score });
    const query = { ...rangeQuery(options), ...filter, limit };
    const episodes = await context.client.call<AnomalyView[]>(`GET ${path}/anomalies`, { query });
    answerTable(context, episodes, {
      columns: [
        instantColumn(context, "START", { at: (episode) => episode.start }),
        instantColumn(context, "END", { at: ({ end }) => end, none: "ongoing" }),
        { title: "MODEL", value: (episode) => episode.model },
        ...seriesColumns(episodes),
        { title: "PEAK", align: "right", value: (episode) => formatScore(episode.peak_score) },
        { title: "SEVERITY", value: ({ severity }) => severity ?? "-" },
        { title: "ONE IN", align: "right", value: ({ peak_rarity }) => formatDecades(peak_rarity) },
        ...(episodes.some(({ origin }) => origin !== "live")
          ? [{ title: "FOUND BY", value: ({ origin }: AnomalyView) => origin }]
          : []),
        { title: "FEATURES", value: describeFeatures },
      ],
      name: ({ id }) => id,
      empty: "no anomalies",
    });
  },
});

/** `10^7.2`: one normal point in that many is as rare as the peak. */
function formatDecades(rarity: number | undefined): string {
  return rarity === undefined ? "-" : `10^${rarity.toFixed(1)}`;
}

/** `user too high: 93.4 %, not 10 % (41.7 x)`: at the peak, with the deviation in half-widths of the band. */
function describeFeatures({ features, peak = {} }: AnomalyView): string {
  return Object.entries(features)
    .map(([name, start]) => {
      const report = peak[name];
      if (!report) return `${name} ${oddityOf(start)}`;
      const { factor } = report;
      const far = factor === undefined ? "" : ` (${formatSi(factor)} x)`;
      return `${name} ${oddityOf(report)}: ${describeValues(report)}${far}`;
    })
    .join(", ");
}

const feedback = defineCommand({
  name: "feedback",
  group: "live detection",
  summary: "Mark an anomaly as true or as a false alarm",
  details: [
    "The next training excludes confirmed anomalies, and the model no longer reports similar false alarms.",
  ],
  arguments: {
    model: { description: "Model name" },
    id: { description: "Id of the anomaly, as list-anomalies --quiet shows it" },
  },
  options: {
    true: { description: "It was an anomaly" },
    false: { description: "It was a false alarm" },
    note: { value: "TEXT", description: "Comment for people" },
  },
  examples: [
    ["torus feedback trips 3f1d6a52-0c3e-4a39-9d1d-2f6a4c1e7b10 --false --note marathon", "a false alarm"],
  ],
  async run(context, { arguments: { model, id }, options: { true: yes, false: no, note } }) {
    if (Boolean(yes) === Boolean(no))
      throw invalid("--true, --false", "give one of them: was it an anomaly?");
    const body = { anomaly: Boolean(yes), ...(note !== undefined && { note }) };
    const path = `${pathOf("models", [model])}${pathOf("anomalies", [id])}/_feedback`;
    const answer = await context.client.call(`POST ${path}`, { body });
    answerDone(context, answer, yes ? "kept: an anomaly" : "kept: a false alarm");
  },
});

export const liveCommands = [start, stop, listAnomalies, feedback];
