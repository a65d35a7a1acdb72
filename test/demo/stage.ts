// Environment of the demo: a real server on a free port, a temporary folder, timed steps.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../../src/cli/client/client.ts";
import { formatSpan, type ProgressOutput } from "../../src/cli/terminal/progress.ts";
import { startServer } from "../support/server-process.ts";

const MAX_WIDTH = 120;
const FAILED = 1;
const INTERRUPTED = 130;

export interface TimedStep {
  readonly name: string;
  readonly ms: number;
}

export interface Stage {
  readonly client: Client;
  readonly output: ProgressOutput;
  /** Width and colours of charts. */
  readonly width: number;
  readonly colour: boolean;
  readonly steps: Steps;
  readonly print: (text?: string) => void;
}

/** What a play needs beside the server. */
export interface Scenery {
  /** Sets up what the server is to find; what it returns are arguments of the server. */
  readonly prepare?: (dir: string) => Promise<readonly string[]>;
  readonly release?: () => Promise<void>;
}

/** Runs `play` with a server. @returns the exit code: 0, 1 where anything failed, 130 where it was interrupted */
export async function runOnStage(
  play: (stage: Stage) => Promise<void>,
  scenery: Scenery = {},
): Promise<number> {
  const { stdout } = process;
  const print = (text = "") => void stdout.write(`${text}\n`);
  const interrupt = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interrupt.abort());
  const { signal } = interrupt;
  const steps = new Steps(print, signal);
  const releases: (() => Promise<unknown>)[] = [];
  try {
    const client = await steps.run("start", () => openServer(releases, signal, scenery));
    const output = {
      write: (text: string) => void stdout.write(text),
      isTTY: stdout.isTTY,
      columns: stdout.columns || MAX_WIDTH,
      now: () => performance.now(),
    };
    const width = Math.min(MAX_WIDTH, output.columns);
    await play({ client, output, width, colour: stdout.isTTY && !process.env.NO_COLOR, steps, print });
    return 0;
  } catch (error) {
    if (signal.aborted) print("\ninterrupted");
    else print(`\nFAILED: ${error instanceof Error ? error.message : String(error)}`);
    return signal.aborted ? INTERRUPTED : FAILED;
  } finally {
    for (const release of releases.reverse()) await release();
  }
}

async function openServer(releases: (() => Promise<unknown>)[], signal: AbortSignal, scenery: Scenery) {
  const dataDir = await mkdtemp(join(tmpdir(), "torus-demo-"));
  releases.push(() => rm(dataDir, { recursive: true, force: true }));
  releases.push(async () => scenery.release?.());
  const args = (await scenery.prepare?.(dataDir)) ?? [];
  const server = await startServer({ dataDir, args });
  releases.push(() => server.stop());
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(ms), signal });
  const { version } = await client.call<{ version: string }>("GET /", { status: 200 });
  return { value: client, note: `Torus ${version} on ${server.url}` };
}

/** The steps of the demo, each timed. */
export class Steps {
  readonly #startedAt = performance.now();
  readonly #done: TimedStep[] = [];

  constructor(
    private readonly print: (text: string) => void,
    private readonly signal: AbortSignal,
  ) {}

  /** Does a step and says what came of it. @throws Error naming the step */
  async run<T>(name: string, work: () => Promise<{ value: T; note: string }>): Promise<T> {
    this.signal.throwIfAborted();
    const startedAt = performance.now();
    const { value, note } = await work().catch((error: Error) => {
      throw new Error(`step ${name}: ${error.message}`);
    });
    const ms = performance.now() - startedAt;
    this.#done.push({ name, ms });
    this.print(`✓ ${name.padEnd(9)} ${note} (${formatSpan(ms)})`);
    return value;
  }

  /** Every step so far, and the whole time since the start. */
  times(): TimedStep[] {
    return [...this.#done, { name: "total", ms: performance.now() - this.#startedAt }];
  }
}
