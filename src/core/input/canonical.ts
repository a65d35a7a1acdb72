// Canonical JSON: sorted keys, no spaces, so that equal values have equal text.
import { isRecord } from "./record.ts";

/** @param value JSON: no undefined, no functions */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isRecord(part) ? sortKeys(part) : part));
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
