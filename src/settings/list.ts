// The settings as a flat list, read off their schema: for the environment, the tables of the documents and old keys.
import { type TObject, type TSchema, TypeGuard } from "@sinclair/typebox";
import { Settings } from "./schema.ts";

export interface Setting {
  /** Dotted path, as in `server.listen`. */
  readonly path: string;
  /** Name of its environment variable. */
  readonly variable: string;
  readonly schema: TSchema;
}

/** Every setting that holds a value, in the order of the schema; those kept for old files only on request. */
export function listSettings({ legacy = false } = {}): Setting[] {
  return listFrom(Settings, []).filter(({ schema }) => Boolean(schema.legacy) === legacy);
}

function listFrom(schema: TObject, parents: readonly string[]): Setting[] {
  return Object.entries(schema.properties).flatMap(([key, member]) => {
    const path = [...parents, key];
    if (TypeGuard.IsObject(member)) return listFrom(member, path);
    return [{ path: path.join("."), variable: `TORUS_${path.join("_").toUpperCase()}`, schema: member }];
  });
}
