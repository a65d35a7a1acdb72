// Context of a running command: connection, output, interrupt.
import { sleep } from "../../runtime/deadline.ts";
import { createClient } from "../client/client.ts";
import { connect } from "../client/connect.ts";
import { clean } from "../terminal/table.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createTimes } from "../terminal/times.ts";
import type { Context, Program } from "./command.ts";
import type { GlobalValues } from "./options.ts";

/**
 * Creates the context of one command line. The connection opens, and signals are caught, on the first use of a client,
 * which throws TorusError `invalid` for a wrong address.
 */
export function createContext(program: Program, terminal: Terminal, given: GlobalValues): Context {
  const globals = { ...given, json: given.json || given.format === "json" };
  const interrupt = new AbortController();
  let exitCode: number | undefined;
  const { signal } = interrupt;
  const print = (text: string) => terminal.write(text.endsWith("\n") ? text : `${text}\n`);
  const note = (text: string) => {
    if (!globals.quiet) terminal.writeError(`${text}\n`);
  };
  const open = once(() => {
    terminal.onInterrupt((code) => {
      exitCode = code;
      interrupt.abort();
    });
    const options = { ...connect(globals, terminal.env), onAdvice: (text: string) => note(clean(text)) };
    return {
      client: createClient({ ...options, signal, sleep: (ms) => sleep(ms, signal) }),
      lasting: createClient({ ...options, sleep }),
    };
  });
  return {
    ...program,
    terminal,
    globals,
    signal,
    print,
    // Opened on first use: many commands need no server.
    get client() {
      return open().client;
    },
    get lasting() {
      return open().lasting;
    },
    interruptedWith: () => exitCode,
    note,
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
