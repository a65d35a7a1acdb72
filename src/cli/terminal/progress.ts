// Progress bar: redrawn on a terminal, printed as a few lines elsewhere.
import { MINUTE_MS, SECOND_MS } from "../../core/time/time.ts";

const BAR_WIDTH = 24;
const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
/** Outside a terminal: a line per quarter, or after this time. */
const SPARSE_SHARE = 0.25;
const SPARSE_MS = 10_000;
/** Share below which no remaining time is estimated. */
const MIN_ESTIMATE_SHARE = 0.02;

export interface Progress {
  readonly label: string;
  /** 0..1; absent = unknown. */
  readonly share?: number;
  /** Time since the start. */
  readonly elapsedMs: number;
  /** Remaining time as the server estimates it; absent: extrapolated. */
  readonly leftMs?: number;
  /** A short text, as in `trial 3 of 10`. */
  readonly note?: string;
  /** Rate with its unit; absent: percent per second. */
  readonly rate?: string;
}

/** Renders one line: label, bar, share, note, rate, remaining time; cut to `width` characters. */
export function renderProgress(progress: Progress, width = 120): string {
  const { label, note, elapsedMs } = progress;
  const share = progress.share === undefined ? undefined : Math.min(1, Math.max(0, progress.share));
  const parts = [
    label,
    renderBar(share ?? 0),
    share === undefined ? "  ?" : `${String(Math.floor(share * 100)).padStart(3)} %`,
    note,
    progress.rate ?? (share ? formatRate(share, elapsedMs) : undefined),
    share === 1 ? formatSpan(elapsedMs) : formatLeft(share, progress),
  ];
  return parts.filter(Boolean).join("  ").slice(0, width).trimEnd();
}

function renderBar(share: number): string {
  const filled = Math.round(share * BAR_WIDTH * 8);
  const bar = "█".repeat(Math.floor(filled / 8)) + eighths[filled % 8];
  return `▕${bar.padEnd(BAR_WIDTH)}▏`;
}

function formatRate(share: number, elapsedMs: number): string | undefined {
  return elapsedMs > 0 ? `${((share * 100) / (elapsedMs / SECOND_MS)).toFixed(1)} %/s` : undefined;
}

function formatLeft(share: number | undefined, { elapsedMs, leftMs }: Progress): string | undefined {
  if (share === undefined || share < MIN_ESTIMATE_SHARE) return undefined;
  return `${formatSpan(leftMs ?? (elapsedMs * (1 - share)) / share)} left`;
}

/** `0.4 s`, `12 s`, `3:05 min`, `2:10 h`. */
export function formatSpan(ms: number): string {
  if (ms < 9950) return `${(ms / SECOND_MS).toFixed(1)} s`;
  if (ms < MINUTE_MS - SECOND_MS / 2) return `${Math.round(ms / SECOND_MS)} s`;
  const [unit, name] = ms < 60 * MINUTE_MS - SECOND_MS / 2 ? [SECOND_MS, "min"] : [MINUTE_MS, "h"];
  const total = Math.round(ms / unit);
  return `${Math.floor(total / 60)}:${String(total % 60).padStart(2, "0")} ${name}`;
}

/** Where a progress line goes. */
export interface ProgressOutput {
  readonly write: (text: string) => void;
  /** Whether lines can be redrawn. */
  readonly isTTY: boolean;
  readonly columns?: number;
  /** ms, monotonic. */
  readonly now: () => number;
}

export interface ProgressLine {
  update(state: Omit<Progress, "label" | "elapsedMs">): void;
  /** Ends the line with the last state. To be called after success and failure; idempotent. */
  end(): void;
}

/** Starts a progress line: redrawn on a terminal, printed sparsely elsewhere. */
export function startProgress(label: string, output: ProgressOutput): ProgressLine {
  const { write, isTTY, columns, now } = output;
  const startedAt = now();
  let last: Progress | undefined;
  let printed: Progress | undefined;
  const print = (progress: Progress): void => {
    printed = progress;
    const line = renderProgress(progress, columns === undefined ? undefined : columns - 1);
    write(isTTY ? `\r${line}\x1b[K` : `${line}\n`);
  };
  return {
    update: (state) => {
      last = { ...state, label, elapsedMs: now() - startedAt };
      if (isTTY || isDue(last, printed)) print(last);
    },
    end: () => {
      if (last && last !== printed) print(last);
      if (isTTY && last) write("\n");
      last = undefined;
    },
  };
}

function isDue(next: Progress, printed: Progress | undefined): boolean {
  if (!printed) return true;
  const moved = (next.share ?? 0) - (printed.share ?? 0);
  return moved >= SPARSE_SHARE || next.elapsedMs - printed.elapsedMs >= SPARSE_MS;
}
