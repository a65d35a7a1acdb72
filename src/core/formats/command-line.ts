// Command-line grammar: declared options and arguments, typed parsing, suggestions for unknown ones.
import { invalid, type TorusError } from "../errors.ts";
import { suggestClosest } from "../input/suggest.ts";
import { parseInteger, parseNumber } from "../input/value.ts";
import { isDuration } from "../time/time.ts";

export interface OptionSpec {
  /** One letter, as in `-f`. */
  readonly short?: string;
  /** Further long names, for compatibility. */
  readonly aliases?: readonly string[];
  /** Name of the value in the help; absent = a switch. */
  readonly value?: string;
  /** Type of the value; absent = any text. A `list` is split at commas. */
  readonly type?: "integer" | "number" | "duration" | "list";
  readonly choices?: readonly string[];
  /** Whether it may be given several times. */
  readonly many?: boolean;
  readonly required?: boolean;
  /** Default value, for the help. */
  readonly fallback?: string;
  readonly description: string;
}

interface ArgumentSpec {
  readonly description: string;
  readonly optional?: boolean;
  /** The last argument may take all remaining words. */
  readonly many?: boolean;
  readonly choices?: readonly string[];
}

export type Options = Readonly<Record<string, OptionSpec>>;
/** In their order on the command line. */
export type Arguments = Readonly<Record<string, ArgumentSpec>>;

type Single<S extends OptionSpec> = S extends { type: "integer" | "number" }
  ? number
  : S extends { type: "list" }
    ? readonly string[]
    : S extends { choices: readonly (infer C)[] }
      ? C
      : string;
type OptionValue<S extends OptionSpec> = S extends { value: string }
  ? S extends { many: true }
    ? readonly Single<S>[]
    : S extends { required: true }
      ? Single<S>
      : Single<S> | undefined
  : boolean;
type ArgumentValue<S extends ArgumentSpec> = S extends { many: true }
  ? readonly string[]
  : S extends { optional: true }
    ? string | undefined
    : string;

export type OptionValues<O extends Options> = { readonly [K in keyof O]: OptionValue<O[K]> };
type ArgumentValues<A extends Arguments> = { readonly [K in keyof A]: ArgumentValue<A[K]> };

export interface ParsedWords<A extends Arguments, O extends Options> {
  readonly arguments: ArgumentValues<A>;
  readonly options: OptionValues<O>;
}

/**
 * Parses words: `--name value`, `--name=value`, `-n value`, `-nvalue`, switches, arguments; `--` ends the options.
 * @throws TorusError `invalid` naming the option or argument and the rule
 */
export function parseWords<A extends Arguments, O extends Options>(
  words: readonly string[],
  spec: { readonly arguments: A; readonly options: O },
): ParsedWords<A, O> {
  const rest = [...words];
  const plain: string[] = [];
  const values = new Map<string, unknown[]>();
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    if (word === "--") plain.push(...rest.splice(0));
    else if (!isOption(word)) plain.push(word);
    else {
      const { name, value } = readOption(word, rest, spec.options);
      values.set(name, [...(values.get(name) ?? []), value]);
    }
  }
  return {
    arguments: assignArguments(plain, spec.arguments) as ArgumentValues<A>,
    options: collectOptions(values, spec.options) as OptionValues<O>,
  };
}

/** Whether a word is an option; `-` alone is an argument, the standard input. */
export function isOption(word: string): boolean {
  return word.startsWith("-") && word !== "-";
}

/** Finds the option of a word. @throws TorusError `invalid` for an unknown one, with the closest name */
export function findOption(word: string, options: Options): { name: string; inline?: string } {
  const long = /^--([^=]*)(?:=([\s\S]*))?$/.exec(word);
  const [given, inline] = long ? [long[1]!, long[2]] : [word[1]!, word.slice(2) || undefined];
  const match = Object.entries(options).find(([name, { short, aliases = [] }]) =>
    long ? name === given || aliases.includes(given) : short === given,
  );
  if (!match) throw unknownOption(long ? `--${given}` : `-${given}`, options);
  return { name: match[0], ...(inline !== undefined && { inline }) };
}

function unknownOption(flag: string, options: Options): TorusError {
  const near = flag.startsWith("--") ? suggestClosest(flag.slice(2), Object.keys(options)) : undefined;
  return invalid(flag, `is unknown; ${near ? `did you mean --${near}?` : "see --help"}`);
}

function readOption(word: string, rest: string[], options: Options): { name: string; value: unknown } {
  const { name, inline } = findOption(word, options);
  const spec = options[name]!;
  const flag = `--${name}`;
  if (spec.value === undefined) {
    if (inline !== undefined && !word.startsWith("--")) rest.unshift(`-${inline}`);
    else if (inline !== undefined) throw invalid(flag, "takes no value");
    return { name, value: true };
  }
  const text = inline ?? rest.shift();
  if (text === undefined || (inline === undefined && /^-[^\d.]/.test(text)))
    throw invalid(flag, `needs a value: ${flag} ${spec.value}`);
  return { name, value: readValue(text, flag, spec) };
}

function readValue(text: string, flag: string, { type, choices }: OptionSpec): unknown {
  if (choices && !choices.includes(text)) throw notChosen(flag, text, choices);
  if (type === "integer") return parseInteger(text, flag);
  if (type === "number") return parseNumber(text, flag);
  if (type === "list") return text.split(",").map((item) => item.trim());
  if (type === "duration" && !isDuration(text))
    throw invalid(flag, "must be a duration: a number and a unit (s m h d w M y), as in 30s, 5m or 1d");
  return text;
}

function notChosen(path: string, text: string, choices: readonly string[]): TorusError {
  const near = suggestClosest(text, choices);
  return invalid(path, `must be one of ${choices.join(", ")}${near ? `; did you mean ${near}?` : ""}`);
}

function collectOptions(values: ReadonlyMap<string, unknown[]>, options: Options): Record<string, unknown> {
  const collected: Record<string, unknown> = {};
  for (const [name, { value, many, required }] of Object.entries(options)) {
    const given = values.get(name) ?? [];
    if (required && given.length === 0) throw invalid(`--${name}`, `is required: --${name} ${value}`);
    collected[name] = many ? given : value === undefined ? given.length > 0 : given.at(-1);
  }
  return collected;
}

function assignArguments(plain: readonly string[], specs: Arguments): Record<string, unknown> {
  const rest = [...plain];
  const assigned: Record<string, unknown> = {};
  for (const [name, { optional, many, choices }] of Object.entries(specs)) {
    const taken = rest.splice(0, many ? rest.length : 1);
    if (taken.length === 0 && !optional) throw invalid(name.toUpperCase(), "is missing");
    for (const word of taken) if (choices && !choices.includes(word)) throw notChosen(name, word, choices);
    assigned[name] = many ? taken : taken[0];
  }
  if (rest.length > 0) throw invalid(rest[0]!, "is one argument too many");
  return assigned;
}
