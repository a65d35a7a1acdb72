// Frame of the live view, cut to the size of the terminal.
import { countOf, formatScore } from "../terminal/format.ts";
import { clean } from "../terminal/table.ts";
import type { Times } from "../terminal/times.ts";
import { type TopRow, type TopState, topStates } from "./top-rows.ts";

export interface Screen {
  readonly columns: number;
  /** Lines of the frame; undefined = no limit. */
  readonly lines?: number | undefined;
  readonly colour: boolean;
  readonly times: Times;
  /** Index of the first visible row. */
  readonly offset: number;
  /** Shown at the end of the first line. */
  readonly title: string;
}

const bars = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];
const MISSING = "·";
const SPARK_WIDTH = 20;
const STATE_WIDTH = 9;
const SCORE_WIDTH = 5;
const SINCE_WIDTH = 19;
const MIN_NAME_WIDTH = 12;
const MAX_NAME_WIDTH = 40;
/** Minimum width of the screen for each optional column. */
const MIN_SCREEN_WIDTH = { scores: 64, since: 88, remark: 110 };

const colours: Readonly<Record<TopState, number>> = {
  anomaly: 31,
  failing: 31,
  "no data": 33,
  late: 33,
  untrained: 36,
  learning: 36,
  training: 36,
  live: 32,
  stopped: 90,
};

/** Sparkline of the newest scores, 0..100. */
export function renderSpark(scores: readonly (number | null)[], width = SPARK_WIDTH): string {
  const shown = scores.slice(-width).map((score) => {
    if (score === null) return MISSING;
    return bars[Math.min(bars.length - 1, Math.max(0, Math.floor((score / 100) * bars.length)))]!;
  });
  return shown.join("").padStart(width);
}

/** Rows that fit into a frame, below its two header lines. */
export function rowsOf({ lines }: Pick<Screen, "lines">): number {
  return lines === undefined ? Number.POSITIVE_INFINITY : Math.max(1, lines - 2);
}

/** Renders a summary, titles and the visible rows; no line is wider than the screen. */
export function renderScreen(rows: readonly TopRow[], screen: Screen): string {
  const { columns, colour, offset } = screen;
  const longest = rows.reduce((width, { model }) => Math.max(width, model.length), MIN_NAME_WIDTH);
  const nameWidth = Math.min(MAX_NAME_WIDTH, longest, Math.max(MIN_NAME_WIDTH, columns - 40));
  const shown = rows.slice(offset, offset + rowsOf(screen));
  const titles = joinCells(
    {
      name: "MODEL",
      state: "STATE",
      score: "SCORE",
      threshold: "LIMIT",
      scores: "LAST SCORES",
      since: `SINCE (${screen.times.zone})`,
      remark: "",
    },
    nameWidth,
    columns,
  );
  const lines = shown.map((row) => {
    const text = joinCells(cellsOf(row, screen), nameWidth, columns);
    return colour ? `\x1b[${colours[row.state]}m${text}\x1b[0m` : text;
  });
  return [summarize(rows, screen), colour ? `\x1b[1m${titles}\x1b[0m` : titles, ...lines].join("\n");
}

interface Cells {
  readonly name: string;
  readonly state: string;
  readonly score: string;
  readonly threshold: string;
  readonly scores: string;
  readonly since: string;
  readonly remark: string;
}

function cellsOf(
  { model, state, score, threshold, scores, since, remark, last_anomaly: last }: TopRow,
  { times }: Screen,
): Cells {
  return {
    name: clean(model),
    state,
    score: formatScore(score),
    threshold: formatScore(threshold),
    scores: renderSpark(scores),
    since: times.format(since === null ? null : Math.floor(since)),
    remark: clean(remark || (last ? `anomaly ${times.format(Math.floor(last.start))}` : "")),
  };
}

function joinCells(cells: Cells, nameWidth: number, columns: number): string {
  const parts = [
    fit(cells.name, nameWidth),
    cells.state.padEnd(STATE_WIDTH),
    cells.score.padStart(SCORE_WIDTH),
    cells.threshold.padStart(SCORE_WIDTH),
    ...(columns >= MIN_SCREEN_WIDTH.scores ? [cells.scores.padEnd(SPARK_WIDTH)] : []),
    ...(columns >= MIN_SCREEN_WIDTH.since ? [cells.since.padEnd(SINCE_WIDTH)] : []),
    ...(columns >= MIN_SCREEN_WIDTH.remark ? [cells.remark] : []),
  ];
  return parts.join("  ").slice(0, columns).trimEnd();
}

function fit(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text.padEnd(width);
}

function summarize(rows: readonly TopRow[], { columns, title }: Screen): string {
  const counts = topStates.map((state) => ({
    state,
    count: rows.filter((row) => row.state === state).length,
  }));
  const present = counts.filter(({ count }) => count > 0).map(({ state, count }) => `${count} ${state}`);
  const text = `${countOf(rows.length, "model")}${present.length > 0 ? `: ${present.join(", ")}` : ""}`;
  return `${text}   ${title}`.slice(0, columns).trimEnd();
}
