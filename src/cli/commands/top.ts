// Command top: live view of all models and their states.
import type { AnomalyView } from "../../api/anomaly.ts";
import { pathOf } from "../client/client.ts";
import { ConnectionError } from "../client/connect.ts";
import type { Model } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { sleep } from "../command/context.ts";
import { type TopRow, toRows } from "../output/top-rows.ts";
import { renderScreen, rowsOf } from "../output/top-screen.ts";

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
  options: { once: { description: "Print one frame and exit" } },
  examples: [
    ["torus top", "states, scores and thresholds, every two seconds"],
    ["torus top --once --json", "one list, for a program"],
  ],
  async run(context, { options: { once } }) {
    const { terminal, globals } = context;
    if (!once && !globals.json && terminal.isTty.output) return runLive(context);
    const rows = await fetchRows(context, { readAt: 0, anomalies: [] });
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
async function fetchRows({ client, terminal }: Context, recent: Recent): Promise<TopRow[]> {
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
  if (terminal.now() - recent.readAt > ANOMALIES_MS) {
    const query = { from: `now-${ANOMALY_DAYS}d` };
    const read = client.call<AnomalyView[]>("GET /anomalies", { query });
    recent.anomalies = await read.catch((error: unknown): readonly AnomalyView[] => {
      if (error instanceof ConnectionError) throw error;
      return [];
    });
    recent.readAt = terminal.now();
  }
  const shown = models.map((model) => detailed.get(model.settings.name) ?? model);
  return toRows(shown, recent.anomalies);
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

/** Draws until q, Ctrl-C or an interrupt; keeps trying while the server is unreachable. */
async function runLive(context: Context): Promise<undefined> {
  const { terminal, signal } = context;
  const left = new AbortController();
  const recent: Recent = { readAt: 0, anomalies: [] };
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
  const steps: Readonly<Record<string, number>> = {
    "\x1b[A": -1,
    "\x1b[B": 1,
    k: -1,
    j: 1,
    "\x1b[5~": -10,
    "\x1b[6~": 10,
  };
  const release = terminal.onKey?.((key) => {
    if (key === "q" || key === CTRL_C) left.abort();
    offset += steps[key] ?? 0;
    if (!left.signal.aborted) draw();
  });
  const ended = AbortSignal.any([signal, left.signal]);
  terminal.write(ALTERNATE_SCREEN);
  try {
    while (!ended.aborted) {
      try {
        rows = await fetchRows(context, recent);
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
