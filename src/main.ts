// The process: standard streams, signals, exit codes. The only file that uses `process`.
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
  // A terminal that does not know its size says 0.
  size: () => (stdout.isTTY ? { columns: stdout.columns || 80, rows: stdout.rows || 24 } : undefined),
  ...(stdin.isTTY && { onKey: readKeys }),
  now: () => Date.now(),
  input: () => stdin,
  onInterrupt: (handler) => {
    let asked = false;
    for (const signal of signals)
      process.on(signal, () => {
        if (asked) process.exit(exitCodes[signal]);
        asked = true;
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

/** Each key as it is pressed, without an echo. @returns what gives the keyboard back */
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

/** The server is loaded only when it is to run: client commands start without it. */
async function serve(words: readonly string[]): Promise<number> {
  // A log that nobody reads any more does not end the server.
  stdout.removeAllListeners("error").on("error", () => {});
  return (await import("./app/serve.ts")).serve(words, host);
}

/** Loaded only where a file is to be analysed here. */
const openAnalyst = async () => (await import("./app/offline.ts")).createAnalyst();

/** Exits once everything written has been handed over; an empty write would be over before those in front of it. */
async function leave(code: number): Promise<void> {
  await new Promise<void>((resolve) => {
    if (stdout.errored || stdout.destroyed) return resolve();
    stdout.once("error", () => resolve());
    stdout.end(() => resolve());
  });
  process.exit(code);
}

// Whoever reads may stop early, as `head` does; that is no failure. A disk that is full is one.
stdout.on("error", ({ code }: { code?: string }) => {
  if (code !== "EPIPE") writeError(`torus: the output cannot be written (${code ?? "error"})\n`);
  process.exit(code === "EPIPE" ? 0 : 1);
});
await leave(
  await runCommandLine(process.argv.slice(2), terminal, {
    version: pack.version,
    commands,
    serve,
    openAnalyst,
  }),
);
