// Records: what was parsed and is an object by keys.

/** Neither a list nor null. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
