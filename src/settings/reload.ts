// Settings that a reload applies; all others need a restart.
import { listSettings } from "./schema.ts";
import type { TlsOptions } from "./security.ts";

/** Serialized values of settings by path, for comparison. */
export type FixedSettings = ReadonlyMap<string, string>;

/** Settings that need a restart. @param valueAt the written value at a path */
export function listFixed(valueAt: (path: string) => unknown, tls: TlsOptions | undefined): FixedSettings {
  const fixed = listSettings().filter(({ isReloadable }) => !isReloadable);
  const texts = fixed.map(({ path }) => [path, JSON.stringify(valueAt(path) ?? null)] as const);
  // A renewed certificate has the path of the old one: the content is compared.
  return new Map([...texts, ["server.tls", String(Bun.hash(JSON.stringify(tls ?? null)))]]);
}

/** Paths whose values differ. */
export function findChanged(before: FixedSettings, after: FixedSettings): string[] {
  return [...after.keys()].filter((path) => before.get(path) !== after.get(path));
}
