// Completion entries: the words and options that may follow each command, for the scripts of all shells.
import type { Options } from "../../core/formats/command-line.ts";
import type { Command } from "../command/command.ts";
import { globalOptions, helpOption } from "../command/options.ts";

/** One name of a command, with the words and options that may follow it. */
export interface Entry {
  /** The name: one or two words. */
  readonly words: readonly string[];
  readonly summary: string;
  readonly options: Options;
  /** Fixed choices of its arguments. */
  readonly choices: readonly string[];
  /** The kind of server resource that each argument names, in order; `-` for none. */
  readonly kinds: readonly (NameKind | "-")[];
}

/** Kinds of resources whose names are completed. */
export const nameKinds = [
  "models",
  "buckets",
  "hooks",
  "calendars",
  "templates",
  "scheduled_jobs",
  "jobs",
  "series",
] as const;
export type NameKind = (typeof nameKinds)[number];

const kindsOfArguments: Readonly<Record<string, NameKind>> = {
  model: "models",
  bucket: "buckets",
  hook: "hooks",
  calendar: "calendars",
  template: "templates",
  job: "jobs",
  series: "series",
};
const kindsOfValues: Readonly<Record<string, NameKind>> = { BUCKET: "buckets", MODEL: "models" };
const kindsOfOptions: Readonly<Record<string, NameKind>> = { series: "series" };
/** Positions for a repeatable last argument. */
const MAX_ARGUMENTS = 8;

/** Options that may stand before the command. */
export const leadingOptions: Options = { ...globalOptions, ...helpOption };

/** One entry per name of each command, including aliases, in the order of the help. */
export function toEntries(commands: readonly Command[]): Entry[] {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  const firsts = [...new Set(shown.map(({ name }) => name.split(" ")[0]!))];
  return shown.flatMap((command) => {
    const { name, aliases = [], summary, isLocal } = command;
    const options = { ...command.options, ...(isLocal ? helpOption : leadingOptions) };
    const choices =
      name === "help" ? firsts : Object.values(command.arguments).flatMap((spec) => spec.choices ?? []);
    const kinds = kindsOf(command);
    return [name, ...aliases].map((each) => ({ words: each.split(" "), summary, options, choices, kinds }));
  });
}

function kindsOf({ name, arguments: specs }: Command): Entry["kinds"] {
  const kinds = Object.entries(specs).flatMap(([argument, { many }]) => {
    const isScheduled = argument === "name" && name.endsWith("-scheduled-job");
    const kind = isScheduled ? "scheduled_jobs" : (kindsOfArguments[argument] ?? "-");
    return Array.from({ length: many ? MAX_ARGUMENTS : 1 }, () => kind);
  });
  return kinds.some((kind) => kind !== "-") ? kinds : [];
}

/** Flags whose value is the name of a resource. */
export function namingFlags(options: Options): { readonly flag: string; readonly kind: NameKind }[] {
  return Object.entries(options).flatMap(([name, spec]) => {
    const kind = spec.value === undefined ? undefined : (kindsOfOptions[name] ?? kindsOfValues[spec.value]);
    return kind ? flagsOf({ [name]: spec }).map((flag) => ({ flag, kind })) : [];
  });
}

/** Flags that choose the server; the scripts pass them on to `__complete`. */
export function connectionFlags(): string[] {
  const { addr, "token-file": file, token, ca } = globalOptions;
  return flagsOf({ addr, "token-file": file, token, ca });
}

/** Distinct first words, with the summary of the first command of each. */
export function firstWords(entries: readonly Entry[]): Map<string, string> {
  const firsts = new Map<string, string>();
  for (const { words, summary } of entries) if (!firsts.has(words[0]!)) firsts.set(words[0]!, summary);
  return firsts;
}

/** Second words of two-word commands, by first word. */
export function secondWords(entries: readonly Entry[]): Map<string, string[]> {
  const seconds = new Map<string, string[]>();
  for (const { words } of entries)
    if (words[1]) seconds.set(words[0]!, [...(seconds.get(words[0]!) ?? []), words[1]]);
  return seconds;
}

/** All spellings of the options: `--name`, and `-n` if there is a letter. */
export function flagsOf(options: Options): string[] {
  return Object.entries(options).flatMap(([name, { short }]) => [
    `--${name}`,
    ...(short ? [`-${short}`] : []),
  ]);
}

/** Flags whose next word is their value. */
export function takingValues(options: Options): string[] {
  return flagsOf(Object.fromEntries(Object.entries(options).filter(([, { value }]) => value !== undefined)));
}

/** Flags with a fixed set of values. */
function choosingFlags(options: Options): { readonly flag: string; readonly choices: string }[] {
  return Object.entries(options).flatMap(([name, spec]) =>
    flagsOf({ [name]: spec }).flatMap((flag) =>
      spec.choices ? { flag, choices: spec.choices.join(" ") } : [],
    ),
  );
}

/** Branches of a `case` over "command flag", for flags whose values are known, in bash and zsh alike. */
export function valueCases(
  entries: readonly Entry[],
  {
    onChoices,
    onNames,
  }: { readonly onChoices: (choices: string) => string; readonly onNames: (kind: NameKind) => string },
): string[] {
  return entries.flatMap(({ words, options }) => {
    const branch = (flag: string, action: string) => `      "${[...words, flag].join(" ")}") ${action} ;;`;
    return [
      ...choosingFlags(options).map(({ flag, choices }) => branch(flag, onChoices(choices))),
      ...namingFlags(options).map(({ flag, kind }) => branch(flag, onNames(kind))),
    ];
  });
}

/** Quotes for zsh and fish: nothing within is expanded. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
