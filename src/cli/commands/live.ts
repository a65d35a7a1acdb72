// Commands of live detection: start, stop, the anomalies that were found, and what people say of them.
import { invalid } from "../../core/errors.ts";
import { formatSi } from "../../core/readable.ts";
import { defineCommand } from "../command.ts";
import { formatInstant, formatScore } from "../format.ts";
import { definedOnly, openRangeOptions, rangeQuery } from "../options.ts";
import { answerDone, answerTable, pathOf } from "../present.ts";

const names = { model: { description: "Model name", many: true } } as const;

const start = defineCommand({
  name: "start-model",
  group: "live detection",
  summary: "Watch models live",
  arguments: names,
  options: {
    anomalies: { short: "a", description: "Look for anomalies and tell hooks of them" },
    save: { short: "s", description: "Save what was predicted and observed" },
    output: { short: "o", value: "BUCKET", description: "Bucket to save to" },
  },
  examples: [["torus start-model trips --anomalies", "from now on, and after every restart of the server"]],
  async run(context, { arguments: { model }, options: { anomalies, save, output } }) {
    const query = definedOnly<string | boolean>({
      detect_anomalies: anomalies,
      save_output_data: save,
      output_bucket: output,
    });
    const answer = await context.client.call(`POST ${pathOf("models", model)}/_start`, { query });
    const caution = anomalies
      ? ""
      : " without detection: no anomaly will be recorded; --anomalies turns it on";
    answerDone(context, answer, `started ${model.join(", ")}${caution}`);
  },
});

const stop = defineCommand({
  name: "stop-model",
  group: "live detection",
  summary: "Watch models no longer",
  arguments: names,
  examples: [["torus stop-model trips", "what it has learned stays"]],
  async run(context, { arguments: { model } }) {
    const answer = await context.client.call(`POST ${pathOf("models", model)}/_stop`);
    answerDone(context, answer, `stopped ${model.join(", ")}`);
  },
});

interface Episode {
  readonly id: string;
  readonly model: string;
  readonly start: number;
  readonly end: number | null;
  readonly peak_score: number;
  readonly peak_rarity?: number;
  readonly features: Readonly<Record<string, { readonly type: string }>>;
  readonly peak?: Readonly<Record<string, { readonly factor?: number }>>;
}

const listAnomalies = defineCommand({
  name: "list-anomalies",
  group: "live detection",
  summary: "List anomalies that live detection found, newest first",
  arguments: { model: { description: "Model name; default: every model", optional: true } },
  options: {
    ...openRangeOptions,
    state: { value: "STATE", description: "open: those that last still; closed: those that have ended" },
    "min-score": { value: "SCORE", type: "number", description: "Only those whose peak reached it, 0..100" },
    limit: { value: "N", type: "integer", fallback: "100", description: "At most so many, up to 10000" },
  },
  examples: [
    ["torus list-anomalies trips --from now-7d", "start, end and height of each"],
    ["torus list-anomalies --state open", "what goes on now"],
  ],
  async run(context, { arguments: { model }, options }) {
    const path = model === undefined ? "" : pathOf("models", [model]);
    const { state, "min-score": min_score, limit = 100 } = options;
    const filter = definedOnly<string | number>({ state, min_score });
    const query = { ...rangeQuery(options), ...filter, limit };
    const episodes = await context.client.call<Episode[]>(`GET ${path}/anomalies`, { query });
    answerTable(context, episodes, {
      columns: [
        { title: "START (UTC)", value: (episode) => formatInstant(episode.start) },
        { title: "END (UTC)", value: ({ end }) => (end === null ? "goes on" : formatInstant(end)) },
        { title: "MODEL", value: (episode) => episode.model },
        { title: "PEAK", align: "right", value: (episode) => formatScore(episode.peak_score) },
        { title: "ONE IN", align: "right", value: ({ peak_rarity }) => formatDecades(peak_rarity) },
        { title: "FEATURES", value: describeFeatures },
      ],
      name: ({ id }) => id,
      empty: "no anomalies",
    });
  },
});

/** `10^7.2`: one normal point in so many is as odd as the peak. */
function formatDecades(rarity: number | undefined): string {
  return rarity === undefined ? "-" : `10^${rarity.toFixed(1)}`;
}

/** `user too high (41.7 x)`: with the distance at the peak in usual deviations. */
function describeFeatures({ features, peak = {} }: Episode): string {
  return Object.entries(features)
    .map(([name, { type }]) => {
      const factor = peak[name]?.factor;
      return `${name} too ${type}${factor === undefined ? "" : ` (${formatSi(factor)} x)`}`;
    })
    .join(", ");
}

const feedback = defineCommand({
  name: "feedback",
  group: "live detection",
  summary: "Say whether an anomaly was one",
  details: ["The next training leaves anomalies out, and no longer raises the like of a false alarm."],
  arguments: {
    model: { description: "Model name" },
    id: { description: "Id of the anomaly, as list-anomalies --quiet shows it" },
  },
  options: {
    true: { description: "It was an anomaly" },
    false: { description: "It was a false alarm" },
    note: { value: "TEXT", description: "What people should know of it" },
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
