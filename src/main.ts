// Entry point: standard streams, signals, exit codes. The only file that uses `process`.
import pack from "../package.json" with { type: "json" };
import type { Host } from "./app/serve.ts";
import { commands } from "./cli/commands/index.ts";
import { runCommandLine } from "./cli/run.ts";
import type { Terminal } from "./cli/terminal/terminal.ts";

const { env, stdin, stdout, stderr } = process;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
const signals = ["SIGINT", "SIGTERM"] as const;
const write = (text: string) => void stdout.write(text);
const writeError = (text: string) => void stderr.write(text);

const terminal: Terminal = {
  env,
  write,
  writeError,
  isTty: { output: Boolean(stdout.isTTY), errors: Boolean(stderr.isTTY) },
  columns: stdout.columns || stderr.columns || undefined,
  // Terminals of unknown size report 0.
  size: () => (stdout.isTTY ? { columns: stdout.columns || 80, rows: stdout.rows || 24 } : undefined),
  ...(stdin.isTTY && { onKey: readKeys }),
  now: () => Date.now(),
  input: () => stdin,
  onInterrupt: (handler) => {
    let isInterrupted = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (isInterrupted) process.exit(exitCodes[signal]);
        isInterrupted = true;
        handler(exitCodes[signal]);
      });
  },
};

const host: Host = {
  env,
  write,
  writeError,
  isTty: Boolean(stdout.isTTY),
  measureUsage: () => {
    const { user, system } = process.cpuUsage();
    return { rssBytes: process.memoryUsage.rss(), cpuSeconds: (user + system) / 1_000_000 };
  },
  onSignal: (handler) => {
    for (const signal of signals) process.on(signal, () => handler(signal));
  },
  onHangup: (handler) => void process.on("SIGHUP", handler),
  onBug: (handler) => {
    process.on("unhandledRejection", (error) => handler("rejection", error));
    process.on("uncaughtException", (error) => handler("exception", error));
  },
  leave: (code) => void leave(code),
  exit: (code) => process.exit(code),
};

/** Reads keys in raw mode. @returns a function that restores the terminal */
function readKeys(handler: (key: string) => void): () => void {
  const onData = (bytes: Buffer) => handler(bytes.toString());
  stdin.setRawMode(true);
  stdin.on("data", onData);
  return () => {
    stdin.off("data", onData);
    stdin.setRawMode(false);
    stdin.pause();
  };
}

/** Loads the server on demand: client commands start faster without it. */
async function serve(words: readonly string[]): Promise<number> {
  // A closed log pipe does not end the server.
  stdout.removeAllListeners("error").on("error", () => {});
  return (await import("./app/serve.ts")).serve(words, host);
}

/** Loaded only to analyse a file in this process. */
const openAnalyst = async () => (await import("./app/offline.ts")).createAnalyst();

/** Loaded only to move or reseal a state. */
const openMaintenance = async () => (await import("./app/maintenance.ts")).createMaintenance(env);

/** Loaded only to show the licences. */
const readLicenses = async () => (await import("./app/licenses/read.ts")).readNotices();

/** Exits after flushing the output; `end` waits for all earlier writes. */
async function leave(code: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (stdout.errored || stdout.destroyed) return resolve();
    stdout.once("error", () => resolve());
    stdout.end(() => resolve());
  });
  process.exit(code);
}

// A reader that stops early, such as `head`, is no failure; a full disk is one.
stdout.on("error", ({ code }: { code?: string }) => {
  if (code !== "EPIPE") writeError(`torus: the output cannot be written (${code ?? "error"})\n`);
  process.exit(code === "EPIPE" ? 0 : 1);
});
await leave(
  await runCommandLine(process.argv.slice(2), terminal, {
    version: pack.version,
    platform: `${process.platform}-${process.arch}`,
    runtime: `bun ${Bun.version}`,
    commands,
    serve,
    openAnalyst,
    openMaintenance,
    readLicenses,
  }),
);
