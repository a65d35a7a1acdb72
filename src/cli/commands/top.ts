// Command top: live view of all models and their states.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { FleetSeriesDetailView } from "../../api/fleet.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { formatSeries } from "../../core/model/series-text.ts";
import { sleep } from "../../runtime/deadline.ts";
import { pathOf } from "../client/client.ts";
import { ConnectionError } from "../client/connect.ts";
import type { Model } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { parseSeriesTags } from "../input/series.ts";
import { sortRows, type TopRow, toRows } from "../output/top-rows.ts";
import { renderScreen, rowsOf } from "../output/top-screen.ts";
import { toSeriesRow } from "../output/top-series.ts";

const REFRESH_MS = 2000;
/** The last anomaly of each model is looked for this far back, and again after this time. */
const ANOMALY_DAYS = 30;
const ANOMALIES_MS = 30_000;
/** Models per request for evaluations. */
const MODELS_PER_REQUEST = 50;
const PLAIN_COLUMNS = 120;
const ALTERNATE_SCREEN = "\x1b[?1049h\x1b[?25l";
const NORMAL_SCREEN = "\x1b[?25h\x1b[?1049l";
/** Cursor to the upper left: frames are drawn over one another, and only the rests of lines are cleared. */
const HOME = "\x1b[H";
const CLEAR_LINE = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
const CTRL_C = "\x03";

export const top = defineCommand({
  name: "top",
  group: "live detection",
  summary: "Show the state of all models, worst first, until q is pressed",
  details: ["Arrow keys scroll. Outside a terminal, prints one frame."],
  options: {
    once: { description: "Print one frame and exit" },
    series: { value: "TAGS", description: "This series of the models with group_by, as in host=a,cpu=0" },
  },
  examples: [
    ["torus top", "states, scores and thresholds, every two seconds"],
    ["torus top --once --json", "one list, for a program"],
    ["torus top --series host=a", "one host, in all models with group_by: [host]"],
  ],
  async run(context, { options: { once, series } }) {
    const { terminal, globals } = context;
    const tags = series === undefined ? undefined : parseSeriesTags(series);
    const recent: Recent = { readAt: 0, anomalies: [] };
    const read = () => (tags ? fetchSeriesRows(context, tags, recent) : fetchRows(context, recent));
    if (!once && !globals.json && terminal.isTty.output) return runLive(context, read);
    const rows = await read();
    const render = () =>
      globals.quiet ? rows.map(({ model }) => model).join("\n") : drawFrame(context, rows, { offset: 0 });
    context.answer(rows, render);
    return undefined;
  },
});

/** Anomalies of a recent look, which is not repeated for each frame. */
interface Recent {
  readAt: number;
  anomalies: readonly AnomalyView[];
}

/** Fetches live models by name as well: lists omit evaluations. */
async function fetchRows(context: Context, recent: Recent): Promise<TopRow[]> {
  const { client } = context;
  const models = await client.call<Model[]>("GET /models");
  const live = models.filter((model) => model.live).map(({ settings }) => settings.name);
  const detailed = new Map<string, Model>();
  for (let from = 0; from < live.length; from += MODELS_PER_REQUEST) {
    const path = pathOf("models", live.slice(from, from + MODELS_PER_REQUEST));
    // A model was deleted since the list: draw this frame without the details.
    const found = await client.call<Model[]>(`GET ${path}`).catch((error: unknown): Model[] => {
      if (error instanceof ConnectionError) throw error;
      return [];
    });
    for (const model of found) detailed.set(model.settings.name, model);
  }
  await refresh(context, recent);
  const shown = models.map((model) => detailed.get(model.settings.name) ?? model);
  return toRows(shown, recent.anomalies);
}

/** One series of each model that is grouped by its tags, and has it. */
async function fetchSeriesRows(context: Context, tags: SeriesTags, recent: Recent): Promise<TopRow[]> {
  const { client } = context;
  const isGrouped = ({ settings: { group_by = [] } }: Model) =>
    group_by.length === Object.keys(tags).length && group_by.every((tag) => Object.hasOwn(tags, tag));
  const models = (await client.call<Model[]>("GET /models")).filter(isGrouped);
  await refresh(context, recent);
  const rows: TopRow[] = [];
  for (const model of models) {
    const path = `GET ${pathOf("models", [model.settings.name])}/series/${encodeURIComponent(formatSeries(tags))}`;
    const found = await client.find<FleetSeriesDetailView>(path);
    if (found) rows.push(toSeriesRow(model, found, recent.anomalies));
  }
  return sortRows(rows);
}

/** Reads the recent anomalies anew where the last look is old. */
async function refresh({ client, terminal }: Context, recent: Recent): Promise<void> {
  if (terminal.now() - recent.readAt > ANOMALIES_MS) {
    const query = { from: `now-${ANOMALY_DAYS}d` };
    const read = client.call<AnomalyView[]>("GET /anomalies", { query });
    recent.anomalies = await read.catch((error: unknown): readonly AnomalyView[] => {
      if (error instanceof ConnectionError) throw error;
      return [];
    });
    recent.readAt = terminal.now();
  }
}

interface Viewport {
  readonly offset: number;
  readonly lines?: number | undefined;
  readonly columns?: number | undefined;
}

function drawFrame(context: Context, rows: readonly TopRow[], place: Viewport): string {
  const { terminal, times, colour } = context;
  const columns = place.columns ?? terminal.columns ?? PLAIN_COLUMNS;
  const now = times.format(Math.floor(terminal.now() / 1000));
  const { offset, lines } = place;
  return renderScreen(rows, { columns, lines, offset, colour, times, title: `${now} ${times.zone}` });
}

/** By key: arrows, as in vi, pages. */
const SCROLLED_ROWS: Readonly<Record<string, number>> = {
  "\x1b[A": -1,
  "\x1b[B": 1,
  k: -1,
  j: 1,
  "\x1b[5~": -10,
  "\x1b[6~": 10,
};

/** Draws until q, Ctrl-C or an interrupt; keeps trying while the server is unreachable. */
async function runLive(context: Context, read: () => Promise<TopRow[]>): Promise<undefined> {
  const { terminal, signal } = context;
  const left = new AbortController();
  let rows: readonly TopRow[] = [];
  let problem = "";
  let offset = 0;
  const draw = () => {
    const size = terminal.size?.() ?? { columns: terminal.columns, rows: undefined };
    const lines = size.rows === undefined ? undefined : size.rows - 1;
    offset = Math.max(0, Math.min(offset, rows.length - rowsOf({ lines })));
    const frame = drawFrame(context, rows, { offset, lines, columns: size.columns });
    const text = [...frame.split("\n"), problem].join(`${CLEAR_LINE}\n`);
    terminal.write(`${HOME}${text}${CLEAR_LINE}${CLEAR_BELOW}`);
  };
  const release = terminal.onKey?.((key) => {
    if (key === "q" || key === CTRL_C) left.abort();
    offset += SCROLLED_ROWS[key] ?? 0;
    if (!left.signal.aborted) draw();
  });
  const ended = AbortSignal.any([signal, left.signal]);
  terminal.write(ALTERNATE_SCREEN);
  try {
    while (!ended.aborted) {
      try {
        rows = await read();
        problem = "";
      } catch (error) {
        if (!(error instanceof ConnectionError) || ended.aborted) throw error;
        problem = error.message.split("\n")[0]!;
      }
      if (!ended.aborted) draw();
      await sleep(REFRESH_MS, ended);
    }
  } finally {
    terminal.write(NORMAL_SCREEN);
    release?.();
  }
}
