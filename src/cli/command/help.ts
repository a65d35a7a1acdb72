// Help texts, rendered from the table of commands.
import type { Arguments, OptionSpec, Options } from "../../core/formats/command-line.ts";
import { type Command, groups } from "./command.ts";
import { exitCodes } from "./exit-codes.ts";
import { globalOptions, helpOption } from "./options.ts";

type Row = readonly [left: string, right: string];

/** All commands by group, one line each. */
export function renderOverview(commands: readonly Command[]): string {
  const sections = groups.map((group) => {
    const rows = commands
      .filter((command) => command.group === group && !command.isHidden)
      .map(({ name, summary }): Row => [name, summary]);
    return { title: group[0]!.toUpperCase() + group.slice(1), rows };
  });
  return [
    "Usage: torus COMMAND [options]",
    "       torus serve [server options]",
    "",
    "Model server for time-series anomaly detection and forecasting, and its client.",
    "",
    ...renderSections([
      ...sections,
      { title: "Options of client commands", rows: optionRows(globalOptions) },
      { title: "Exit codes", rows: exitCodes.map(([code, meaning]): Row => [String(code), meaning]) },
    ]),
    "torus COMMAND --help shows the options and examples of a command.",
    "",
  ].join("\n");
}

/** Usage, arguments, options and examples of one command. */
export function renderCommandHelp(command: Command): string {
  const { name, summary, details = [], aliases = [], isLocal } = command;
  const sections = [
    { title: "Arguments", rows: argumentRows(command.arguments) },
    { title: "Options", rows: optionRows({ ...command.options, ...helpOption }) },
    { title: "Options of client commands", rows: isLocal ? [] : optionRows(globalOptions, command.options) },
    { title: "Examples", rows: command.examples.map(([line, what]): Row => [line, what]) },
  ];
  return [
    `Usage: torus ${name} ${usageOf(command)}`.trimEnd(),
    "",
    `${summary}.`,
    ...details,
    ...(aliases.length > 0 ? [`Also: ${aliases.join(", ")}.`] : []),
    "",
    ...renderSections(sections),
  ].join("\n");
}

/** What follows the command's name, as in `MODEL [FEATURE...] --from DATE [options]`. */
export function usageOf({ arguments: specs, options }: Pick<Command, "arguments" | "options">): string {
  const required = Object.entries(options)
    .filter(([, spec]) => spec.required)
    .map(([name, { value }]) => `--${name} ${value}`);
  const others = Object.values(options).some((spec) => !spec.required) ? ["[options]"] : [];
  const plain = Object.entries(specs).map(([name, { optional, many }]) => {
    const word = `${name.toUpperCase()}${many ? "..." : ""}`;
    return optional ? `[${word}]` : word;
  });
  return [...plain, ...required, ...others].join(" ");
}

/** Arguments with their descriptions. */
export function argumentRows(specs: Arguments): Row[] {
  return Object.entries(specs).map(([name, { description, choices }]) => [
    name.toUpperCase(),
    choices ? `${description}: ${choices.join(", ")}` : description,
  ]);
}

/** Options, as in `-f, --from DATE`, with their descriptions. @param own whose names go before aliases */
export function optionRows(options: Options, own: Options = {}): Row[] {
  return Object.entries(options).map(([name, spec]) => {
    const aliases = spec.aliases?.filter((alias) => !Object.hasOwn(own, alias)) ?? [];
    return [renderOption(name, spec), describe({ ...spec, aliases })];
  });
}

function renderOption(name: string, { short, value }: OptionSpec): string {
  return `${short ? `-${short}, ` : "    "}--${name}${value ? ` ${value}` : ""}`;
}

function describe({ description, choices, fallback, many, aliases = [] }: OptionSpec): string {
  const remarks = [
    many && "may be repeated",
    fallback && `default: ${fallback}`,
    aliases.length > 0 && `also ${aliases.map((alias) => `--${alias}`).join(", ")}`,
  ].filter(Boolean);
  const text = choices ? `${description}: ${choices.join(", ")}` : description;
  return remarks.length > 0 ? `${text} (${remarks.join("; ")})` : text;
}

function renderSections(sections: readonly { title: string; rows: readonly Row[] }[]): string[] {
  const present = sections.filter(({ rows }) => rows.length > 0);
  return present.flatMap(({ title, rows }) => {
    const width = Math.max(...rows.map(([left]) => left.length)) + 2;
    return [`${title}:`, ...rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd()), ""];
  });
}
