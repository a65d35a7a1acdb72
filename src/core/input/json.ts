// JSON values: guard of objects, canonical text.

/** Whether a value is an object, neither an array nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** @param value JSON: no undefined, no functions */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part) => (isRecord(part) ? sortKeys(part) : part));
}

function sortKeys(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
