// Server process: settings, log, signals, exit codes.
import { readFileSync, statSync } from "node:fs";
import { describeError, linesOf, TorusError } from "../core/errors.ts";
import { type Command, readSettings, type ServerSettings } from "../settings/load.ts";
import { findChanged } from "../settings/reload.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import type { Usage } from "../telemetry/meter.ts";
import { checkDefined } from "./definitions.ts";
import { type Services, startServices, version } from "./services.ts";

/** Exit codes; 0: stopped by a signal. */
const EXIT_FAILURE = 1;
const EXIT_BAD_SETTINGS = 2;

type StopSignal = "SIGINT" | "SIGTERM";

/** Process facilities that the server uses. */
export interface Host {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
  /** Whether `write` reaches a terminal. */
  readonly isTty: boolean;
  readonly measureUsage: () => Usage;
  /** Calls back for every stop signal. */
  readonly onSignal: (handler: (signal: StopSignal) => void) => void;
  /** Calls back for SIGHUP, which reloads the settings. */
  readonly onHangup: (handler: () => void) => void;
  /** Calls back for uncaught exceptions and unhandled rejections. */
  readonly onBug: (handler: (kind: "exception" | "rejection", error: unknown) => void) => void;
  /** Exits after flushing the output. */
  readonly leave: (code: number) => void;
  /** Exits at once. */
  readonly exit: (code: number) => void;
}

/**
 * Runs the server until a signal stops it.
 * @param words the server's options
 * @returns the exit code
 * @throws TorusError `invalid` for bad settings
 */
export async function serve(words: readonly string[], host: Host): Promise<number> {
  const readFile = (path: string) => readFileSync(path, "utf8");
  const isExposed = (path: string) => (statSync(path).mode & 0o077) !== 0;
  const read = () => readSettings({ argv: words, env: host.env, readFile, isExposed, isTty: host.isTty });
  const command = read();
  if (command.action === "serve") return run(command, read, host);
  const notes = checkDefined(command.settings);
  host.write(`${["settings are fine", ...notes].join("\n")}\n`);
  return 0;
}

async function run({ settings, fixed }: Command, read: () => Command, host: Host): Promise<number> {
  const level = { current: settings.logLevel };
  const log = createLog({
    get level() {
      return level.current;
    },
    format: settings.logFormat,
    write: (line) => host.write(`${line}\n`),
    now: () => Date.now(),
  });
  watchBugs(host, log);
  for (const { variable, near } of settings.misspelt)
    log.warn("variable is no setting", { variable, did_you_mean: near });
  for (const setting of settings.ignored) log.warn("setting has no effect", { setting });

  const file = settings.hooks.exposedFile;
  if (file) log.warn("the password of the mail server is readable by other users; chmod 600", { file });

  const ending = new AbortController();
  const { signal } = ending;
  const starting = startServices(settings, log, { measureUsage: host.measureUsage, signal });
  const stopped = stopOnSignals(starting, { host, log, ending });
  host.onHangup(() => {
    const work = reload({ read, fixed, starting, log });
    void work.then((next) => {
      level.current = next?.logLevel ?? level.current;
    });
  });
  try {
    const { url } = await starting;
    log.info("listening", { url, version, data_dir: settings.dataDir });
  } catch (error) {
    if (signal.aborted && error === signal.reason) {
      log.info("stopped");
      return 0;
    }
    return explainStart(error, { settings, host, log });
  }
  return stopped;
}

interface Reload {
  readonly read: () => Command;
  /** Of the start. */
  readonly fixed: Command["fixed"];
  readonly starting: Promise<Services>;
  readonly log: Log;
}

/** Reloads the settings. @returns the new settings; undefined where they are invalid and nothing has changed */
async function reload({ read, fixed, starting, log }: Reload): Promise<ServerSettings | undefined> {
  const services = await starting.catch(() => undefined);
  // A failed start has already been reported.
  if (!services) return undefined;
  try {
    const next = read();
    checkDefined(next.settings);
    await services.reload(next.settings);
    const waiting = findChanged(fixed, next.fixed);
    if (waiting.length > 0)
      log.warn("settings reloaded; some take effect with a restart", { settings: waiting });
    else log.info("settings reloaded");
    return next.settings;
  } catch (error) {
    const { message, code } = describeError(error);
    const fields = code === "internal" ? { error } : { reason: message };
    log.error("settings not reloaded: the old ones stay effective", fields);
    return undefined;
  }
}

/** Reports why the server did not start. @returns the exit code */
function explainStart(
  error: unknown,
  { settings: { listen }, host, log }: { settings: ServerSettings; host: Host; log: Log },
): number {
  const { code } = error as { code?: unknown };
  let reason = error instanceof TorusError ? linesOf(error).join("\n") : describeError(error).message;
  if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL")
    reason = `cannot listen on ${listen.host}:${listen.port} (${code}): choose another address with --listen`;
  else if (!(error instanceof TorusError)) log.error("start failed", { error });
  host.writeError(`torus: ${reason}\n`);
  return code === "invalid" ? EXIT_BAD_SETTINGS : EXIT_FAILURE;
}

interface StopDeps {
  readonly host: Host;
  readonly log: Log;
  /** Of the start, while that waits. */
  readonly ending: AbortController;
}

/** The first signal stops gracefully, the second at once. @returns the exit code, after the stop */
function stopOnSignals(starting: Promise<Services>, { host, log, ending }: StopDeps): Promise<number> {
  let isStopping = false;
  return new Promise((resolve) => {
    const stop = async (signal: StopSignal) => {
      if (isStopping) host.exit(signal === "SIGINT" ? 130 : 143);
      isStopping = true;
      log.info("stopping", { signal });
      ending.abort(new TorusError("interrupted", "stopped before it had started"));
      const services = await starting.catch(() => undefined);
      // A failed start has already been reported.
      if (!services) return;
      await services.stop();
      log.info("stopped");
      resolve(0);
    };
    host.onSignal((signal) => void stop(signal));
  });
}

function watchBugs(host: Host, log: Log): void {
  host.onBug((kind, error) => {
    if (kind === "rejection") return log.error("unhandled rejection", { error });
    log.error("uncaught exception", { error });
    host.leave(EXIT_FAILURE);
  });
}
