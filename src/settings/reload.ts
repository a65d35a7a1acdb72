// Settings that take effect while the server runs, and which of the others differ between two files.
import type { TlsOptions } from "./security.ts";

/** By path, or by the section they are in. */
const reloadable = [
  "server.auth",
  "server.cors",
  "server.allowed_hosts",
  "server.trusted_proxies",
  "server.external_url",
  "server.jobs_max_ttl",
  "server.versions_kept",
  "server.limits",
  "server.tls.hsts",
  "hooks",
  "log.level",
  "debug",
  "buckets",
  "datasources",
  "templates",
  "models",
  "scheduled_jobs",
];
/** Sockets have it from their start. */
const exceptions = ["server.limits.idle"];

/** Values of settings, as texts to be compared, by path. */
export type FixedSettings = ReadonlyMap<string, string>;

/** Settings that only a restart puts in force. */
export function listFixed(
  values: readonly { readonly path: string; readonly value: unknown }[],
  tls: TlsOptions | undefined,
): FixedSettings {
  const fixed = values.filter(({ path }) => !isReloadable(path));
  const texts = fixed.map(({ path, value }) => [path, JSON.stringify(value ?? null)] as const);
  // A renewed certificate is in the file of the old one.
  return new Map([...texts, ["server.tls", String(Bun.hash(JSON.stringify(tls ?? null)))]]);
}

/** Whether a setting takes effect while the server runs. */
export function isReloadable(path: string): boolean {
  const isIn = (section: string) => path === section || path.startsWith(`${section}.`);
  return reloadable.some(isIn) && !exceptions.includes(path);
}

/** Paths whose values differ. */
export function findChanged(before: FixedSettings, after: FixedSettings): string[] {
  return [...after.keys()].filter((path) => before.get(path) !== after.get(path));
}
