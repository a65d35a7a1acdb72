// What a command is: one entry of the table that parsing, help, completion and the reference are made from.
import type { Arguments, Options, ParsedWords } from "../core/formats/command-line.ts";
import type { Context } from "./context.ts";

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
