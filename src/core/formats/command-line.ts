// Command-line grammar: declared options and arguments, parsed by node:util, checked and typed by their declarations.
import { type ParseArgsConfig, parseArgs } from "node:util";
import { invalid, type TorusError } from "../errors.ts";
import { didYouMean, suggestClosest } from "../input/suggest.ts";
import { parseInteger, parseNumber } from "../input/value.ts";
import { DURATION_RULE, isDuration } from "../time/time.ts";

export interface OptionSpec {
  /** One letter, as in `-f`. */
  readonly short?: string;
  /** Further long names, for compatibility. */
  readonly aliases?: readonly string[];
  /** Name of the value in the help; absent = a flag without a value. */
  readonly value?: string;
  /** Type of the value; absent = any text. A `list` is split at commas. */
  readonly type?: "integer" | "number" | "duration" | "list";
  readonly choices?: readonly string[];
  /** Whether values besides the choices are accepted: completion offers the choices. */
  readonly hasOthers?: boolean;
  /** Whether it may be given several times. */
  readonly many?: boolean;
  readonly required?: boolean;
  /** Default as the help shows it. */
  readonly fallback?: string;
  readonly description: string;
}

interface ArgumentSpec {
  readonly description: string;
  readonly optional?: boolean;
  /** Takes all remaining words; only for the last argument. */
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

/** A part of a command line as `node:util` parseArgs splits it. */
export type Token = NonNullable<
  ReturnType<typeof parseArgs<ParseArgsConfig & { tokens: true }>>["tokens"]
>[number];
type OptionToken = Extract<Token, { kind: "option" }>;

/**
 * Splits words into options and arguments: `--name value`, `--name=value`, `-n value`, `-nvalue`, `-abc`; `--` ends the
 * options. Nothing is checked: unknown options and missing values are tokens, too.
 */
export function tokenize(words: readonly string[], options: Options): readonly Token[] {
  const config = Object.entries(options).flatMap(([name, { value, short, aliases = [] }]) => {
    const type = value === undefined ? ("boolean" as const) : ("string" as const);
    return [[name, { type, ...(short && { short }) }], ...aliases.map((alias) => [alias, { type }])];
  });
  const args = [...words];
  return parseArgs({ args, options: Object.fromEntries(config), strict: false, tokens: true }).tokens;
}

/**
 * Parses words into arguments and options.
 * @throws TorusError `invalid` naming the option or argument and the rule
 */
export function parseWords<A extends Arguments, O extends Options>(
  words: readonly string[],
  spec: { readonly arguments: A; readonly options: O },
): ParsedWords<A, O> {
  const plain: string[] = [];
  const values = new Map<string, unknown[]>();
  for (const token of tokenize(words, spec.options)) {
    if (token.kind === "positional") plain.push(token.value);
    if (token.kind !== "option") continue;
    const name = findOption(token, spec.options);
    values.set(name, [...(values.get(name) ?? []), readOption(token, `--${name}`, spec.options[name]!)]);
  }
  return {
    arguments: assignArguments(plain, spec.arguments) as ArgumentValues<A>,
    options: collectOptions(values, spec.options) as OptionValues<O>,
  };
}

/** @returns the option's name. @throws TorusError `invalid` for an unknown one, with the closest */
export function findOption({ name, rawName }: OptionToken, options: Options): string {
  const known = Object.hasOwn(options, name)
    ? name
    : Object.keys(options).find((key) => options[key]!.aliases?.includes(name));
  if (known !== undefined) return known;
  const near = rawName.startsWith("--") ? suggestClosest(name, Object.keys(options)) : undefined;
  throw invalid(rawName, `is unknown; ${near ? `did you mean --${near}?` : "see --help"}`);
}

function readOption({ value, inlineValue }: OptionToken, flag: string, spec: OptionSpec): unknown {
  if (spec.value === undefined) {
    if (value !== undefined) throw invalid(flag, "takes no value");
    return true;
  }
  // The next word is a value even with a leading dash, if it is a number: `--from -1.5`.
  if (value === undefined || (!inlineValue && /^-[^\d.]/.test(value)))
    throw invalid(flag, `needs a value: ${flag} ${spec.value}`);
  return readValue(value, flag, spec);
}

function readValue(text: string, flag: string, { type, choices, hasOthers }: OptionSpec): unknown {
  if (choices && !hasOthers && !choices.includes(text)) throw notChosen(flag, text, choices);
  if (type === "integer") return parseInteger(text, flag);
  if (type === "number") return parseNumber(text, flag);
  if (type === "list") return text.split(",").map((item) => item.trim());
  if (type === "duration" && !isDuration(text)) throw invalid(flag, DURATION_RULE);
  return text;
}

function notChosen(path: string, text: string, choices: readonly string[]): TorusError {
  return invalid(path, `must be one of ${choices.join(", ")}${didYouMean(text, choices)}`);
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
