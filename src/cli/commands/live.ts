// Commands of live detection: start, stop, and the anomalies that were found.
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
    answerDone(context, answer, `started ${model.join(", ")}`);
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
  readonly features: Readonly<Record<string, { readonly type: string }>>;
}

const listAnomalies = defineCommand({
  name: "list-anomalies",
  group: "live detection",
  summary: "List anomalies that live detection found, newest first",
  arguments: { model: { description: "Model name; default: every model", optional: true } },
  options: {
    ...openRangeOptions,
    limit: { value: "N", type: "integer", fallback: "100", description: "At most so many, up to 100" },
  },
  examples: [["torus list-anomalies trips --from now-7d", "start, end and height of each"]],
  async run(context, { arguments: { model }, options }) {
    const path = model === undefined ? "" : pathOf("models", [model]);
    const query = { ...rangeQuery(options), per_page: options.limit ?? 100 };
    const episodes = await context.client.call<Episode[]>(`GET ${path}/anomalies`, { query });
    answerTable(context, episodes, {
      columns: [
        { title: "START (UTC)", value: (episode) => formatInstant(episode.start) },
        { title: "END (UTC)", value: ({ end }) => (end === null ? "goes on" : formatInstant(end)) },
        { title: "MODEL", value: (episode) => episode.model },
        { title: "PEAK", align: "right", value: (episode) => formatScore(episode.peak_score) },
        { title: "FEATURES", value: ({ features }) => describeFeatures(features) },
      ],
      name: ({ id }) => id,
      empty: "no anomalies",
    });
  },
});

function describeFeatures(features: Episode["features"]): string {
  return Object.entries(features)
    .map(([name, { type }]) => `${name} too ${type}`)
    .join(", ");
}

export const liveCommands = [start, stop, listAnomalies];
