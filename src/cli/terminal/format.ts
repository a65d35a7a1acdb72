// Numbers, instants and spans as people read them.
import { parseDuration } from "../../core/time/time.ts";

const DIGITS = 6;

/** Up to six significant digits; `-` for nothing. */
export function formatNumber(value: number | null | undefined): string {
  return typeof value === "number" ? String(Number(value.toPrecision(DIGITS))) : "-";
}

/** One decimal, as scores and shares have it. */
export function formatScore(value: number | null | undefined): string {
  return typeof value === "number" ? value.toFixed(1) : "-";
}

/** `10 320`: groups of three digits. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, " ");
}

const sizes = ["B", "kB", "MB", "GB", "TB"];

/** `2.6 MB` */
export function formatBytes(bytes: number): string {
  const step = Math.min(sizes.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  return step === 0 ? `${bytes} B` : `${(bytes / 1000 ** step).toFixed(1)} ${sizes[step]}`;
}

/** A duration as settings have it, as text. */
export function formatInterval(value: unknown): string {
  return typeof value === "number" ? `${value}s` : String(value ?? "-");
}

/** Seconds of a duration as settings have it. */
export function secondsOf(duration: string | number): number {
  return parseDuration(duration) / 1000;
}
