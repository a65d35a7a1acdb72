// Fake terminal: runs command lines and records their output.
import { createMaintenance } from "../../src/app/maintenance.ts";
import { createAnalyst } from "../../src/app/offline.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { runCommandLine } from "../../src/cli/run.ts";
import type { Terminal } from "../../src/cli/terminal/terminal.ts";

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Standard input. */
  readonly input?: string | Uint8Array;
  readonly isTty?: boolean;
  /** Called once somebody listens for interrupts, with what interrupts. */
  readonly onReady?: (interrupt: () => void) => void;
  readonly size?: { readonly columns: number; readonly rows: number };
  /** Called once somebody listens for keys, with what presses one. */
  readonly onKeys?: (press: (key: string) => void) => void;
  /** Sees what is written, as it is written. */
  readonly onWrite?: (text: string) => void;
}

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process. */
export async function runWords(words: readonly string[], options: TerminalOptions = {}): Promise<Ended> {
  const { env = {}, input = "", isTty = false, onReady, size, onKeys, onWrite } = options;
  let [out, err] = ["", ""];
  const terminal: Terminal = {
    env,
    write: (text) => {
      out += text;
      onWrite?.(text);
    },
    writeError: (text) => {
      err += text;
    },
    isTty: { output: isTty, errors: isTty },
    columns: isTty ? 80 : undefined,
    size: () => size,
    ...(onKeys && {
      onKey: (handler: (key: string) => void) => {
        onKeys(handler);
        return () => {};
      },
    }),
    now: () => Date.now(),
    async *input() {
      yield typeof input === "string" ? new TextEncoder().encode(input) : input;
    },
    onInterrupt: (handler) => onReady?.(() => handler(130)),
  };
  const serve = async (rest: readonly string[]) => {
    out += `serve ${rest.join(" ")}\n`;
    return 0;
  };
  const code = await runCommandLine(words, terminal, {
    version: "9.9.9",
    platform: "linux-x64",
    runtime: "bun 9.9.8",
    commands,
    serve,
    openAnalyst: async () => createAnalyst(),
    openMaintenance: async () => createMaintenance(env),
    readLicenses: async () => "MIT License\n",
  });
  return { code, out, err };
}

/** Splits a line at blanks; quotes keep blanks together. */
export function run(line: string, options?: TerminalOptions): Promise<Ended> {
  const words = [...line.matchAll(/'([^']*)'|\S+/g)].map(([whole, quoted]) => quoted ?? whole);
  return runWords(words, options);
}
