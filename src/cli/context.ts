// What a command works with: the connection, where its output goes, and whether it has been interrupted.
import type { Analyst } from "./analyst.ts";
import { type Client, createClient } from "./client/client.ts";
import { connect } from "./client/connect.ts";
import type { Command } from "./command.ts";
import type { GlobalValues } from "./options.ts";
import type { Terminal } from "./output/terminal.ts";
import { createTimes, type Times } from "./output/times.ts";

/** What the program has beside its client commands. */
export interface Program {
  readonly version: string;
  /** Every command, in the order of the help. */
  readonly commands: readonly Command[];
  /** Runs the server with its own options. @returns the exit code */
  readonly serve: (words: readonly string[]) => Promise<number>;
  /** Loads what analyses series in this process. */
  readonly openAnalyst: () => Promise<Analyst>;
}

export interface Context extends Program {
  readonly terminal: Terminal;
  readonly globals: GlobalValues;
  /** Ends with an interrupt. */
  readonly client: Client;
  /** Outlives an interrupt: to start jobs, whose ids must not get lost, and to cancel them. */
  readonly lasting: Client;
  /** Aborted by the first interrupt. */
  readonly signal: AbortSignal;
  /** Exit code of the interrupt; undefined while there was none. */
  readonly interruptedWith: () => number | undefined;
  /** A line on standard output. */
  readonly print: (text: string) => void;
  /** A remark on standard error; not with `--quiet`. */
  readonly note: (text: string) => void;
  /** The result: the value as JSON with `--json`, otherwise the text made of it. */
  readonly answer: (value: unknown, render?: () => string) => void;
  /** How times are printed. */
  readonly times: Times;
  /** Whether what is printed may be coloured. */
  readonly colour: boolean;
}

/**
 * Makes what one command line works with. Nothing is opened, and no signal caught, before a client is first asked for:
 * then a wrong address throws TorusError `invalid`.
 */
export function createContext(program: Program, terminal: Terminal, given: GlobalValues): Context {
  const globals = { ...given, json: given.json || given.format === "json" };
  const interrupt = new AbortController();
  let exitCode: number | undefined;
  const { signal } = interrupt;
  const print = (text: string) => terminal.write(text.endsWith("\n") ? text : `${text}\n`);
  const open = once(() => {
    terminal.onInterrupt((code) => {
      exitCode = code;
      interrupt.abort();
    });
    const connection = connect(globals, terminal.env);
    return {
      client: createClient({ ...connection, signal, sleep: (ms) => sleep(ms, signal) }),
      lasting: createClient({ ...connection, sleep }),
    };
  });
  return {
    ...program,
    terminal,
    globals,
    signal,
    print,
    // Opened when first used: many commands need no server.
    get client() {
      return open().client;
    },
    get lasting() {
      return open().lasting;
    },
    interruptedWith: () => exitCode,
    note: (text) => {
      if (!globals.quiet) terminal.writeError(`${text}\n`);
    },
    answer: (value, render) => {
      const text = globals.json || !render ? JSON.stringify(value ?? null) : render();
      if (text !== "") print(text);
    },
    times: createTimes(globals, terminal.env),
    colour: terminal.isTty.output && !globals["no-color"] && !terminal.env.NO_COLOR,
  };
}

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Resolves after a while, or at once when the signal is aborted. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
  });
}
