// What a command is: one entry of the table that parsing, help, completion and the reference are made from.
import type { Arguments, Options, ParsedWords } from "../../core/formats/command-line.ts";
import type { Client } from "../client/client.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Times } from "../terminal/times.ts";
import type { GlobalValues } from "./options.ts";

/** Detection and forecast of a series in this process: bodies and answers of `_detect` and `_predict`. */
export interface Analyst {
  /** @throws TorusError `invalid`, `too_little_data`, `too_large` */
  detect(body: unknown, signal: AbortSignal): Promise<unknown>;
  /** @throws as `detect` */
  forecast(body: unknown, signal: AbortSignal): Promise<unknown>;
}

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

/** Parts of the help, in this order. */
export const groups = [
  "server",
  "data",
  "models",
  "live detection",
  "jobs",
  "templates",
  "administration",
  "help",
] as const;

export interface CommandInput<A extends Arguments, O extends Options> extends ParsedWords<A, O> {
  /** The words as they were given, for a command that hands them on. */
  readonly words: readonly string[];
}

interface CommandSpec<A extends Arguments, O extends Options> {
  /** One word, or two: `token create`. */
  readonly name: string;
  /** Names it had before. */
  readonly aliases?: readonly string[];
  readonly group: (typeof groups)[number];
  /** One line, without a full stop. */
  readonly summary: string;
  /** Further lines of its help. */
  readonly details?: readonly string[];
  readonly arguments?: A;
  readonly options?: O;
  /** Command lines that work, each with what it does. */
  readonly examples: readonly (readonly [line: string, what: string])[];
  /** For scripts of shells alone: no help lists it. */
  readonly isHidden?: boolean;
  /** Whether the options of every client command (address, login, form of output) apply. Default: yes. */
  readonly isLocal?: boolean;
  /** @returns the exit code, where it is not 0 */
  run(context: Context, input: CommandInput<A, O>): Promise<number | undefined>;
}

/** A command of the table; what its input is like only itself knows. */
export interface Command extends Omit<CommandSpec<Arguments, Options>, "run" | "arguments" | "options"> {
  readonly arguments: Arguments;
  readonly options: Options;
  run(context: Context, input: CommandInput<Arguments, Options>): Promise<number | undefined>;
}

type NoSpecs = Readonly<Record<never, never>>;

/** Brings a command into the form of the table; the types of its input follow from its arguments and options. */
export function defineCommand<const A extends Arguments = NoSpecs, const O extends Options = NoSpecs>(
  spec: CommandSpec<A, O>,
): Command {
  return { arguments: {}, options: {}, ...spec } as unknown as Command;
}
