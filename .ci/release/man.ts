// Man page torus(1) in roff, from the table of commands.
import { type Command, groups } from "../../src/cli/command/command.ts";
import { exitCodes } from "../../src/cli/command/exit-codes.ts";
import { argumentRows, optionRows, usageOf } from "../../src/cli/command/help.ts";
import { globalOptions } from "../../src/cli/command/options.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { manifest } from "./manifest.ts";

type Row = readonly [left: string, right: string];

/** @param date of the release, as in `2026-01-31` */
export function renderManPage(date: string): string {
  const { name, version, summary, paths, description } = manifest;
  return [
    `.TH ${name.toUpperCase()} 1 "${date}" "${name} ${version}" "User Commands"`,
    ".SH NAME",
    escapeRoff(`${name} - ${summary.toLowerCase()}`),
    ".SH SYNOPSIS",
    `.B ${name}`,
    escapeRoff("COMMAND [options]"),
    ".SH DESCRIPTION",
    escapeRoff(description.join(" ")),
    ".SH COMMANDS",
    ...groups
      .flatMap((group) => commands.filter((one) => one.group === group && !one.isHidden))
      .flatMap(renderCommand),
    ".SH OPTIONS OF CLIENT COMMANDS",
    ...renderRows(optionRows(globalOptions)),
    ".SH EXIT STATUS",
    ...renderRows(exitCodes.map(([code, meaning]) => [String(code), meaning])),
    ".SH FILES",
    ...renderRows([
      [paths.settings, "settings of the service"],
      [`${paths.config}/environment`, "its environment, for secrets: NAME=value"],
      [paths.state, "its state"],
    ]),
    ".SH SEE ALSO",
    escapeRoff(`http://localhost:${manifest.port}/docs, the API of a running server`),
    "",
  ].join("\n");
}

function renderCommand(command: Command): string[] {
  const { name, summary, details = [], examples } = command;
  const rows = [...argumentRows(command.arguments), ...optionRows(command.options)];
  return [
    `.SS ${escapeRoff(`${name} ${usageOf(command)}`.trimEnd())}`,
    escapeRoff([`${summary}.`, ...details].join(" ")),
    ...renderRows(rows),
    ...renderRows(examples.map(([line, what]) => [line, what])),
  ];
}

function renderRows(rows: readonly Row[]): string[] {
  return rows.flatMap(([left, right]) => [
    ".TP",
    `.B ${escapeRoff(left.trim())}`,
    escapeRoff(right || "\\&"),
  ]);
}

/** Hyphens as typed, and no line that begins with a control character of roff. */
function escapeRoff(text: string): string {
  const escaped = text.replaceAll("\\&", "\u0000").replaceAll("\\", "\\e").replaceAll("-", "\\-");
  return escaped.replaceAll("\u0000", "\\&").replace(/^[.']/, "\\&$&");
}
