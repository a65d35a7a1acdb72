// Settings that a reload applies; all others need a restart.
import type { TlsOptions } from "./security.ts";

/** Paths of settings or sections. */
const reloadable = [
  "server.auth",
  "server.cors",
  "server.allowed_hosts",
  "server.trusted_proxies",
  "server.external_url",
  "server.ui",
  "server.jobs_max_ttl",
  "server.versions_kept",
  "server.history",
  "server.source_grace",
  "server.limits",
  "server.tls.hsts",
  "hooks",
  "log.level",
  "debug",
  "buckets",
  "datasources",
  "calendars",
  "templates",
  "models",
  "scheduled_jobs",
];
/** The listener applies these at start only. */
const exceptions = ["server.limits.idle"];

/** Serialized values of settings by path, for comparison. */
export type FixedSettings = ReadonlyMap<string, string>;

/** Settings that need a restart. */
export function listFixed(
  values: readonly { readonly path: string; readonly value: unknown }[],
  tls: TlsOptions | undefined,
): FixedSettings {
  const fixed = values.filter(({ path }) => !isReloadable(path));
  const texts = fixed.map(({ path, value }) => [path, JSON.stringify(value ?? null)] as const);
  // A renewed certificate has the path of the old one: the content is compared.
  return new Map([...texts, ["server.tls", String(Bun.hash(JSON.stringify(tls ?? null)))]]);
}

/** Whether a reload applies a setting. */
export function isReloadable(path: string): boolean {
  const isIn = (section: string) => path === section || path.startsWith(`${section}.`);
  return reloadable.some(isIn) && !exceptions.includes(path);
}

/** Paths whose values differ. */
export function findChanged(before: FixedSettings, after: FixedSettings): string[] {
  return [...after.keys()].filter((path) => before.get(path) !== after.get(path));
}
