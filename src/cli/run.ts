// Runs a command line: finds the command, parses its options, runs it, reports errors, returns the exit code.
import { invalid, linesOf, TorusError } from "../core/errors.ts";
import {
  type Arguments,
  findOption,
  type Options,
  type ParsedWords,
  parseWords,
  tokenize,
} from "../core/formats/command-line.ts";
import { ApiError, JobError, MISSING_MESSAGE } from "./client/client.ts";
import { ConnectionError } from "./client/connect.ts";
import type { Command, Context, Program } from "./command/command.ts";
import { createContext } from "./command/context.ts";
import { exitCodeOf } from "./command/exit-codes.ts";
import { renderCommandHelp, renderOverview, usageOf } from "./command/help.ts";
import { type GlobalValues, globalOptions, helpOption } from "./command/options.ts";
import { unknownCommand } from "./command/unknown.ts";
import { clean } from "./terminal/table.ts";
import type { Terminal } from "./terminal/terminal.ts";

const versionOption = { version: { description: "Show the version" } } as const satisfies Options;

/** Runs a command line. @returns the exit code */
export async function runCommandLine(
  words: readonly string[],
  terminal: Terminal,
  program: Program,
): Promise<number> {
  let context: Context | undefined;
  try {
    const found = findCommand(words, program);
    if (typeof found === "string") {
      terminal.write(found);
      return 0;
    }
    const { command, rest } = found;
    if (isHelpRequested(rest)) {
      terminal.write(renderCommandHelp(command));
      return 0;
    }
    const options = command.isLocal ? command.options : { ...globalOptions, ...command.options };
    const parsed = parseFor(command, rest, { arguments: command.arguments, options });
    context = createContext(program, terminal, parsed.options as unknown as GlobalValues);
    return (await command.run(context, { ...parsed, words: rest })) ?? 0;
  } catch (error) {
    const code = context?.interruptedWith();
    if (code !== undefined) return code;
    return reportError(error, terminal);
  }
}

interface Found {
  readonly command: Command;
  /** The words without the command's name; options may precede and follow it. */
  readonly rest: readonly string[];
}

/** @returns the command, or the help or version text. @throws TorusError `invalid` */
function findCommand(words: readonly string[], program: Program): Found | string {
  const { commands } = program;
  const serve = commands.find(({ name }) => name === "serve")!;
  const leading: Options = { ...globalOptions, ...serve.options, ...helpOption, ...versionOption };
  if (words.length === 0) return renderOverview(commands);
  let at = words.length;
  for (const token of tokenize(words, leading)) {
    if (token.kind !== "option") {
      at = token.index;
      break;
    }
    const name = findOption(token, leading);
    if (name === "help") return renderOverview(commands);
    if (name === "version") return `${program.version}\n`;
  }
  if (at >= words.length) return { command: serve, rest: words };
  const { command, length } = findNamed(words.slice(at, at + 2), commands);
  return { command, rest: [...words.slice(0, at), ...words.slice(at + length)] };
}

function findNamed(
  [first = "", second = ""]: readonly string[],
  commands: readonly Command[],
): { command: Command; length: number } {
  const named = (name: string) =>
    commands.find((command) => command.name === name || command.aliases?.includes(name));
  const pair = named(`${first} ${second}`);
  if (pair) return { command: pair, length: 2 };
  const single = named(first);
  if (single) return { command: single, length: 1 };
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length > 0) throw invalid(first, `must be one of ${family.map(({ name }) => name).join(", ")}`);
  throw unknownCommand(first, commands);
}

/** Whether help is requested: it is shown even if other words are invalid. */
function isHelpRequested(rest: readonly string[]): boolean {
  const end = rest.indexOf("--");
  const words = end < 0 ? rest : rest.slice(0, end);
  return words.includes("--help") || words.includes("-h");
}

/** Parses a command's words. @throws TorusError `invalid` with the usage of the command */
function parseFor(
  command: Command,
  words: readonly string[],
  specs: { readonly arguments: Arguments; readonly options: Options },
): ParsedWords<Arguments, Options> {
  try {
    return parseWords(words, specs);
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    const usage = `usage: torus ${command.name} ${usageOf(command)}`.trimEnd();
    throw new TorusError(error.code, `${error.message}\n${usage}`, error.details);
  }
}

/** Prints an error to standard error. @returns the exit code */
function reportError(error: unknown, terminal: Terminal): number {
  const lines = describe(error).split("\n").map(clean);
  terminal.writeError(`torus: ${lines.join("\n")}\n`);
  return exitCodeOf(error);
}

function describe(error: unknown): string {
  if (error instanceof TorusError) return linesOf(error).join("\n");
  if (error instanceof ApiError) return describeRefusal(error);
  if (error instanceof JobError || error instanceof ConnectionError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function describeRefusal({ status, reason, message, further }: ApiError): string {
  if (further.length > 0) return [reason, ...further].join("\n");
  if (status === 401) return `${reason}: set --token-file or TORUS_TOKEN`;
  return reason === MISSING_MESSAGE ? message : reason;
}
