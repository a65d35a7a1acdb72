// Diff of two settings, field by field; changed secrets are named without their values.
import { isRecord } from "../input/json.ts";
import type { FieldChange } from "./resource.ts";

interface Settings {
  /** Including secrets. */
  readonly full: unknown;
  /** Without secrets. */
  readonly shown: unknown;
}

/** The changed fields; empty if the settings are equal. */
export function diffSettings(before: Settings, after: Settings): FieldChange[] {
  const visible = diffValues(before.shown, after.shown);
  const named = new Set(visible.map(({ path }) => path));
  const hidden = diffValues(before.full, after.full).filter(({ path }) => !named.has(path));
  return [...visible, ...hidden.map(({ path }): FieldChange => ({ path, secret: true }))];
}

function diffValues(before: unknown, after: unknown, path = ""): FieldChange[] {
  // The order of keys does not matter.
  if (Bun.deepEquals(before, after)) return [];
  const [old, next] = asFields(before, after) ?? [];
  if (old && next) {
    const keys = new Set([...old.keys(), ...next.keys()]);
    return [...keys].flatMap((key) => diffValues(old.get(key), next.get(key), path ? `${path}.${key}` : key));
  }
  return [{ path, ...(before !== undefined && { from: before }), ...(after !== undefined && { to: after }) }];
}

type Fields = ReadonlyMap<string, unknown>;

/** Both as fields by key; lists of named objects, such as features, by name. Undefined if they cannot be compared so. */
function asFields(before: unknown, after: unknown): readonly [Fields, Fields] | undefined {
  if (isRecord(before) && isRecord(after))
    return [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const [old, next] = [byName(before), byName(after)];
  if (!old || !next) return undefined;
  // A changed order of the common items is a change of the whole list.
  const common = (a: Fields, b: Fields) => [...a.keys()].filter((name) => b.has(name));
  return Bun.deepEquals(common(old, next), common(next, old)) ? [old, next] : undefined;
}

function byName(list: unknown): Fields | undefined {
  if (!Array.isArray(list) || list.length === 0) return undefined;
  const names = list.map((item) => (isRecord(item) && typeof item.name === "string" ? item.name : undefined));
  if (names.includes(undefined) || new Set(names).size < names.length) return undefined;
  return new Map(list.map((item, index) => [names[index]!, item]));
}
