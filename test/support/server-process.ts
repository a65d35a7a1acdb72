// The server as a process of its own: started, waited for, stopped, killed. For the demo and end-to-end tests.

import { dirname, join } from "node:path";
import { readLines } from "./lines.ts";

const MAIN = join(import.meta.dir, "../../src/main.ts");
const START_MS = 30_000;
const isTest = process.env.NODE_ENV === "test";
/**
 * Variables of the processes of tests, which live for seconds and get no time back from the best compilers of WebAssembly
 * and scripts. Measurements and the demo run with them.
 */
export const shortLived: Readonly<Record<string, string>> = isTest
  ? { BUN_JSC_useOMGJIT: "0", BUN_JSC_useFTLJIT: "0" }
  : {};
/** What servers of tests are started with: each worker compiles the compute runtime for itself. */
const inTests: Readonly<Record<string, string>> = isTest ? { TORUS_SERVER_WORKERS: "1", ...shortLived } : {};

export interface ServerProcess {
  /** Without a slash at the end. */
  readonly url: string;
  readonly pid: number;
  /** What it has logged. */
  readonly lines: readonly string[];
  /** Asks it to stop. @returns the exit code */
  stop(): Promise<number>;
  /** Ends it without a warning, as a crash would. */
  kill(): Promise<void>;
}

export interface StartOptions {
  readonly dataDir: string;
  /** What runs it, as in `taskset -c 1`. */
  readonly prefix?: readonly string[];
  /** Further arguments. */
  readonly args?: readonly string[];
  /** A compiled server in place of the sources, or "" for the sources; TORUS_PROGRAM says so for whole runs of tests. */
  readonly program?: string;
  /** Further variables; undefined removes one. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Called with each line of the log. */
  readonly onLine?: (line: string) => void;
}

/** What runs a command of the server: the compiled program, or where it is "" or missing, the sources. */
export function commandOf(program = process.env.TORUS_PROGRAM): readonly string[] {
  return program ? [program] : [process.execPath, MAIN];
}

/** Starts a server on a free port. @throws Error with what it wrote where it ends before it listens */
export async function startServer(options: StartOptions): Promise<ServerProcess> {
  const child = spawnServer(options);
  const lines: string[] = [];
  const errors = new Response(child.stderr).text();
  const url = await readUrl(child, (line) => {
    lines.push(line);
    options.onLine?.(line);
  });
  if (url === undefined) {
    child.kill("SIGKILL");
    await child.exited;
    throw new Error(`the server did not start: ${[...lines, await errors].join("\n").trim()}`);
  }
  const end = async (signal: "SIGTERM" | "SIGKILL") => {
    child.kill(signal);
    return await child.exited;
  };
  return {
    url,
    pid: child.pid,
    lines,
    stop: () => end("SIGTERM"),
    kill: async () => void (await end("SIGKILL")),
  };
}

/** Runs a server that should end by itself. @returns its exit code and everything it wrote */
export async function runServer(options: StartOptions): Promise<{ exitCode: number; output: string }> {
  const child = spawnServer(options);
  const timer = setTimeout(() => child.kill("SIGKILL"), START_MS);
  const texts = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()]);
  const exitCode = await child.exited;
  clearTimeout(timer);
  return { exitCode, output: texts.join("\n") };
}

function spawnServer(options: StartOptions) {
  const { dataDir, prefix = [], args = [], env: more, program = process.env.TORUS_PROGRAM } = options;
  // Settings of the caller's own server must not leak into this one.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("TORUS_")));
  const where = ["--listen", "127.0.0.1:0", "--data-dir", dataDir];
  const command = [...prefix, ...commandOf(program), "serve", ...where, ...args];
  return Bun.spawn(command, {
    ...(program && { cwd: dirname(program) }),
    env: { ...env, ...inTests, ...more },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
}

/** Reads the log and finds the address in it; undefined where the process ends or says nothing in time. */
function readUrl(
  child: ReturnType<typeof spawnServer>,
  onLine: (line: string) => void,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), START_MS);
    const collect = async () => {
      for await (const line of readLines(child.stdout)) {
        onLine(line);
        const url = findUrl(line);
        if (url) {
          clearTimeout(timer);
          resolve(url);
        }
      }
      clearTimeout(timer);
      resolve(undefined);
    };
    void collect();
  });
}

function findUrl(line: string): string | undefined {
  if (!line.includes('"listening"')) return undefined;
  const { msg, url } = JSON.parse(line) as { msg: string; url: string };
  return msg === "listening" ? url.replace(/\/$/, "") : undefined;
}
