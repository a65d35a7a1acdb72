// Formats numbers, counts, sizes and durations for people.
import { parseDuration } from "../../core/time/time.ts";

const SIGNIFICANT_DIGITS = 6;

/** Up to six significant digits; `-` for a missing value. */
export function formatNumber(value: number | null | undefined): string {
  return typeof value === "number" ? String(Number(value.toPrecision(SIGNIFICANT_DIGITS))) : "-";
}

/** One decimal; `-` for a missing value. */
export function formatScore(value: number | null | undefined): string {
  return typeof value === "number" ? value.toFixed(1) : "-";
}

/** `10 320`: groups of three digits. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}

/** `1 point`, `10 320 points` */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}

const sizes = ["B", "kB", "MB", "GB", "TB"];

/** `2.6 MB` */
export function formatBytes(bytes: number): string {
  const step = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return step === 0 ? `${bytes} B` : `${(bytes / 1000 ** step).toFixed(1)} ${sizes[step]}`;
}

/** A duration of the settings, as text. */
export function formatInterval(value: unknown): string {
  return typeof value === "number" ? `${value}s` : String(value ?? "-");
}

/** A duration of the settings, in seconds. */
export function secondsOf(duration: string | number): number {
  return parseDuration(duration) / 1000;
}
