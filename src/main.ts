// The process: command line, signals, exit codes. The only file that uses `process`.
import { readFileSync, statSync } from "node:fs";
import { describeError, TorusError } from "./core/errors.ts";
import { createLog, type Log } from "./log.ts";
import { checkServices, type Services, startServices, version } from "./services.ts";
import { renderHelp } from "./settings/flags.ts";
import { type Command, readSettings, type ServerSettings } from "./settings.ts";

/** Exit codes: 0 stopped as asked, 1 could not start or broke, 2 bad settings. */
const BROKEN = 1;
const BAD_SETTINGS = 2;

async function main(): Promise<void> {
  const command = readCommand();
  if (!command) return leave(BAD_SETTINGS);
  if (command.action === "help") return leave(0, renderHelp());
  if (command.action === "version") return leave(0, `${version}\n`);
  if (command.action === "check") return leave(0, "settings are fine\n");
  return serve(command.settings);
}

function readCommand(): Command | undefined {
  try {
    const readFile = (path: string) => readFileSync(path, "utf8");
    const isExposed = (path: string) => (statSync(path).mode & 0o077) !== 0;
    const command = readSettings({ argv: process.argv.slice(2), env: process.env, readFile, isExposed });
    if (command.action === "check") checkServices(command.settings);
    return command;
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    process.stderr.write(`torus: ${error.message}\n`);
    return undefined;
  }
}

async function serve(settings: ServerSettings): Promise<void> {
  const log = createLog({
    level: settings.logLevel,
    write: (line) => process.stdout.write(`${line}\n`),
    now: () => Date.now(),
  });
  watchProcess(log);
  for (const setting of settings.ignored) log.warn("setting has no effect any more", { setting });

  const file = settings.hooks.exposedFile;
  if (file) log.warn("others can read the password of the mail server; chmod 600", { file });

  const starting = startServices(settings, log);
  stopOnSignals(starting, log);
  try {
    const { url } = await starting;
    log.info("listening", { url, version, data_dir: settings.dataDir });
  } catch (error) {
    await leave(explainStart(error, settings, log));
  }
}

/** Says why the server did not start. @returns the exit code */
function explainStart(error: unknown, { listen }: ServerSettings, log: Log): number {
  const { code } = error as { code?: unknown };
  let reason = describeError(error).message;
  if (code === "EADDRINUSE" || code === "EACCES" || code === "EADDRNOTAVAIL")
    reason = `cannot listen on ${listen.host}:${listen.port} (${code}): choose another address with --listen`;
  else if (!(error instanceof TorusError)) log.error("start failed", { error });
  process.stderr.write(`torus: ${reason}\n`);
  return code === "invalid" ? BAD_SETTINGS : BROKEN;
}

/** The first signal stops in order, the second at once. */
function stopOnSignals(starting: Promise<Services>, log: Log): void {
  let asked = false;
  const stop = async (signal: "SIGTERM" | "SIGINT") => {
    if (asked) process.exit(signal === "SIGINT" ? 130 : 143);
    asked = true;
    log.info("stopping", { signal });
    const services = await starting.catch(() => undefined);
    // Without services the start has failed, and says so itself.
    if (!services) return;
    await services.stop();
    log.info("stopped");
    await leave(0);
  };
  process.on("SIGTERM", () => void stop("SIGTERM"));
  process.on("SIGINT", () => void stop("SIGINT"));
}

function watchProcess(log: Log): void {
  process.stdout.on("error", () => {});
  process.on("unhandledRejection", (error) => log.error("unhandled rejection", { error }));
  process.on("uncaughtException", (error) => {
    log.error("uncaught exception", { error });
    void leave(BROKEN);
  });
}

/** Exits once everything written has been handed over. */
async function leave(code: number, text = ""): Promise<void> {
  await new Promise((resolve) => process.stdout.write(text, resolve));
  process.exit(code);
}

await main();
