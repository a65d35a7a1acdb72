// Completion of a command line: the words that may stand at the cursor, by the table of commands; pure.
import { sectionOf } from "../../core/apply/kinds.ts";
import type { OptionSpec, Options } from "../../core/formats/command-line.ts";
import type { Command } from "../command/command.ts";
import { globalOptions, helpOption } from "../command/options.ts";

export interface Offer {
  readonly word: string;
  readonly description?: string;
}

/** Resources whose names are completed. */
type NameKind =
  | "models"
  | "buckets"
  | "hooks"
  | "calendars"
  | "templates"
  | "scheduled_jobs"
  | "jobs"
  | "series";

/** Names on the server that may stand at the cursor. */
export interface WantedNames {
  readonly kind: NameKind;
  /** Model of hooks or series. */
  readonly model: string | undefined;
  /** Options of the line that choose the server. */
  readonly connection: Readonly<Partial<Record<ConnectionOption, string>>>;
}

const kindsOfArguments: Readonly<Record<string, NameKind>> = {
  ...sectionOf,
  job: "jobs",
  series: "series",
};
const kindsOfValues: Readonly<Record<string, NameKind>> = { BUCKET: "buckets", MODEL: "models" };

const connectionOptions = ["addr", "token-file", "token", "ca"] as const;
type ConnectionOption = (typeof connectionOptions)[number];

/** Options that may stand before the command. */
const leadingOptions: Options = { ...globalOptions, ...helpOption };

/**
 * Finds what may stand at the cursor.
 * @param before the words before the cursor, without the program
 * @param current the word at the cursor, as far as it is typed
 * @returns offers of any beginning, none where it may be a file; or the names that are wanted of the server
 */
export function findOffers(
  before: readonly string[],
  current: string,
  commands: readonly Command[],
): readonly Offer[] | WantedNames {
  const names = nameWords(commands);
  const typed = splitWords(before, leadingOptions).plain;
  const ofLength = (count: number) =>
    names.find(({ words }) => words.length === count && words.every((word, i) => word === typed[i]));
  const named = ofLength(2) ?? ofLength(1);
  const options = named ? optionsOf(named.command) : leadingOptions;
  const { plain, values } = splitWords(before, options);
  const args = plain.slice(named?.words.length);
  const wanted = (kind: NameKind) => ({ kind, model: args[0], connection: pickConnection(values) });

  const flag = findFlag(before.at(-1) ?? "", options);
  if (flag?.spec.value !== undefined) {
    const kind = flag.name === "series" ? "series" : kindsOfValues[flag.spec.value];
    return kind ? wanted(kind) : toOffers(flag.spec.choices);
  }
  if (current.startsWith("-")) return offerFlags(options);
  if (!named) return offerCommands(names, typed);
  const kind = kindOfArgument(named.command, args.length);
  return kind ? wanted(kind) : offerChoices(named.command, names);
}

interface Named {
  /** One or two. */
  readonly words: readonly string[];
  readonly command: Command;
}

/** Names of the commands with their aliases, in the order of the help. */
function nameWords(commands: readonly Command[]): Named[] {
  const shown = commands.filter(({ isHidden }) => !isHidden);
  return shown.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].map((name) => ({ words: name.split(" "), command })),
  );
}

/** First words of all commands, or second words of the family that is typed. */
function offerCommands(names: readonly Named[], typed: readonly string[]): Offer[] {
  const offers = new Map<string, Offer>();
  for (const { words, command } of names) {
    const word = words[typed.length];
    if (word === undefined || (typed.length > 0 && typed[0] !== words[0]) || offers.has(word)) continue;
    offers.set(word, { word, description: command.summary });
  }
  return [...offers.values()];
}

function offerChoices({ name, arguments: specs }: Command, names: readonly Named[]): Offer[] {
  if (name === "help") return toOffers([...new Set(names.map(({ words }) => words[0]!))]);
  return toOffers(Object.values(specs).flatMap((spec) => spec.choices ?? []));
}

function optionsOf({ options, isLocal }: Command): Options {
  return { ...options, ...(isLocal ? helpOption : leadingOptions) };
}

const toOffers = (words: readonly string[] = []): Offer[] => words.map((word) => ({ word }));

function offerFlags(options: Options): Offer[] {
  return Object.entries(options).flatMap(([name, { short, description }]) =>
    [`--${name}`, ...(short ? [`-${short}`] : [])].map((word) => ({ word, description })),
  );
}

function findFlag(word: string, options: Options): { name: string; spec: OptionSpec } | undefined {
  const found = Object.entries(options).find(
    ([name, { short }]) => word === `--${name}` || (short !== undefined && word === `-${short}`),
  );
  return found && { name: found[0], spec: found[1] };
}

/** Words that are no options, and values of options by their name. */
function splitWords(words: readonly string[], options: Options) {
  const plain: string[] = [];
  const values = new Map<string, string>();
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    const flag = findFlag(word, options);
    if (flag?.spec.value !== undefined) values.set(flag.name, words[++at] ?? "");
    else if (!word.startsWith("-")) plain.push(word);
  }
  return { plain, values };
}

function pickConnection(values: ReadonlyMap<string, string>): WantedNames["connection"] {
  const given = connectionOptions.filter((name) => values.has(name));
  return Object.fromEntries(given.map((name) => [name, values.get(name)]));
}

/** @param at position of the argument; those of a repeatable last one are alike */
function kindOfArgument({ name, arguments: specs }: Command, at: number): NameKind | undefined {
  const list = Object.keys(specs);
  const last = list.at(-1);
  const argument = list[at] ?? (last !== undefined && specs[last]!.many ? last : "");
  if (argument === "name" && name.endsWith("-scheduled-job")) return "scheduled_jobs";
  return kindsOfArguments[argument];
}
