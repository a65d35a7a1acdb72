// Parsers of setting values: durations, listen addresses, time zones, the data directory.
import { isAbsolute, join, resolve } from "node:path";
import { invalid } from "../core/errors.ts";
import { parseDuration } from "../core/time/time.ts";

/** Parses a duration to ms. @throws TorusError `invalid` */
export function readSpan(
  value: string | number,
  path: string,
  seconds: { min: number; max: number },
): number {
  const ms = parseDuration(value, path);
  if (ms < seconds.min * 1000 || ms > seconds.max * 1000)
    throw invalid(path, `must be from ${seconds.min}s to ${seconds.max}s`);
  return ms;
}

/** `host:port`; no host means every address. @throws TorusError `invalid` */
export function parseListen(listen: string): { host: string; port: number } {
  const at = listen.lastIndexOf(":");
  const port = Number(listen.slice(at + 1));
  if (port > 65_535) throw invalid("server.listen", "must have a port from 0 to 65535");
  const host = listen.slice(0, at).replace(/^\[|\]$/g, "");
  return { host: host || "0.0.0.0", port };
}

/** Whether a host is a loopback address. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|::1)$/i.test(host);
}

/** Absolute path of the data directory. @throws TorusError `invalid` without a setting and a home directory */
export function findDataDir(path: string, env: Readonly<Record<string, string | undefined>>): string {
  const home = env.HOME;
  if (path.startsWith("~/") && home) return join(home, path.slice(2));
  if (path) return resolve(path);
  if (env.XDG_DATA_HOME && isAbsolute(env.XDG_DATA_HOME)) return join(env.XDG_DATA_HOME, "torus");
  if (home) return join(home, ".local", "share", "torus");
  throw invalid("storage.path", "is required without a home directory: use --data-dir DIR");
}
