// Report of the demo: tables of events, errors and times.
import { formatSpan } from "../../src/cli/terminal/progress.ts";
import type { Episode, Errors, Verdict } from "./judge.ts";
import type { TimedStep } from "./stage.ts";

const HOUR_SECONDS = 3600;
const WEEK_SECONDS = 7 * 24 * HOUR_SECONDS;

/** A table with a head, columns as wide as they need to be; cells that are numbers stand right. */
export function renderTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => row[i]!.length)));
  const right = head.map((_, i) => rows.every((row) => /^[\d. ]+( (%|h|s|min))?$/.test(row[i]!)));
  const render = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (right[i] ? cell.padStart(widths[i]!) : cell.padEnd(widths[i]!))).join("   ")}`.trimEnd();
  const rule = `  ${widths.map((width) => "─".repeat(width)).join("───")}`;
  return [render(head), rule, ...rows.map(render)].join("\n");
}

/** `Nov 2 01:30` for seconds since the epoch, UTC. */
export function formatAt(seconds: number): string {
  const date = new Date(seconds * 1000);
  const month = date.toLocaleString("en", { month: "short", timeZone: "UTC" });
  return `${month} ${date.getUTCDate()} ${date.toISOString().slice(11, 16)}`;
}

/** `10 320`. */
export function formatCount(count: number): string {
  return Math.round(count)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");
}

/** Which events were flagged, and what was flagged beside them. */
export function renderVerdict(
  { found, falseAlarms }: Verdict,
  range: { from: number; to: number },
  byChance: number,
): string {
  const head = ["labelled event", "labelled window", "flagged", "episodes", "highest score"];
  const rows = found.map(({ event, episodes }) => [
    event.name,
    `${formatAt(event.from)} to ${formatAt(event.to)}`,
    episodes.length > 0 ? "yes" : "no",
    String(episodes.length),
    episodes.length > 0 ? formatPeak(episodes.reduce((top, one) => (one.peak > top.peak ? one : top))) : "",
  ]);
  const weeks = (range.to - range.from) / WEEK_SECONDS;
  const flagged = found.filter(({ episodes }) => episodes.length > 0).length;
  const rate = `${(falseAlarms.length / weeks).toFixed(2)} a week over ${weeks.toFixed(1)} weeks`;
  const alarms = falseAlarms.map((alarm) => [
    formatAt(alarm.from),
    `${(alarm.to - alarm.from) / HOUR_SECONDS} h`,
    formatPeak(alarm),
  ]);
  return [
    renderTable(head, rows),
    `\n  ${flagged} of ${found.length} events flagged: an episode lies in the labelled window, which is some days wide.`,
    `  As many episodes at random times would do so for ${byChance.toFixed(1)} of ${found.length}.`,
    `  False alarms, in no labelled window: ${falseAlarms.length}, that is ${rate}.`,
    ...(alarms.length > 0 ? [`\n${renderTable(["false alarm", "lasted", "highest score"], alarms)}`] : []),
  ].join("\n");
}

function formatPeak({ peak, peakAt }: Episode): string {
  return `${peak.toFixed(0)} at ${formatAt(peakAt)}`;
}

/** Errors of the model beside those of repetition. */
export function renderErrors({ model, lastWeek, yesterday }: Errors, days: number): string {
  const row = (name: string, error: number) => [
    name,
    formatCount(error),
    `${((error / lastWeek) * 100).toFixed(0)} %`,
  ];
  const rows = [
    row("Torus forecast", model),
    row("repeat last week", lastWeek),
    row("repeat yesterday", yesterday),
  ];
  const head = [`one day ahead, ${days} days`, "mean absolute error", "of repeating last week"];
  return renderTable(head, rows);
}

/** How long each step took. */
export function renderTimes(times: readonly TimedStep[]): string {
  const rows = times.map(({ name, ms }) => [name, formatSpan(ms)]);
  return renderTable(["step", "wall time"], rows);
}
