// Options that many commands share.
import type { Options, OptionValues } from "../../core/formats/command-line.ts";
import { DEFAULT_ADDRESS } from "../client/connect.ts";

export const formats = ["table", "json", "csv", "tsv"] as const;

/** Options of every command that talks to a server; they may also stand before the command. */
export const globalOptions = {
  addr: {
    short: "A",
    value: "URL",
    fallback: `TORUS_ADDR, or ${DEFAULT_ADDRESS}`,
    description: "Address of the server, optionally with user:password@",
  },
  "token-file": { value: "FILE", description: "File that holds the access token" },
  token: {
    value: "TOKEN",
    fallback: "TORUS_TOKEN",
    description: "Access token; visible to other users of this machine",
  },
  ca: { value: "FILE", description: "Certificate authority to trust (PEM), in place of the system's" },
  "insecure-tls": { description: "Accept any certificate" },
  timeout: {
    value: "DURATION",
    type: "duration",
    fallback: "60s",
    description: "Timeout of a request",
  },
  json: { description: "Print the server's answer as JSON" },
  format: {
    value: "FORMAT",
    choices: formats,
    fallback: "table",
    description: "Format of lists and series",
  },
  tz: {
    aliases: ["timezone"],
    value: "ZONE",
    fallback: "TORUS_TZ, or UTC",
    description: "Time zone of printed times, as in Europe/Berlin",
  },
  local: { description: "Print times in the time zone of this machine" },
  quiet: { short: "q", description: "Suppress progress and notes; print only names instead of tables" },
  "no-color": { description: "Disable colours; also NO_COLOR" },
} as const satisfies Options;

export type GlobalValues = OptionValues<typeof globalOptions>;

/** Accepted by every command. */
export const helpOption = { help: { short: "h", description: "Show help" } } as const satisfies Options;

const date = "DATE";
/** A range with a required start. */
export const rangeOptions = {
  from: {
    short: "f",
    value: date,
    required: true,
    description: "Start: a date, seconds, or relative as in now-7d",
  },
  to: { short: "t", value: date, fallback: "now", description: "End, exclusive" },
} as const satisfies Options;

/** A range with an optional start and end. */
export const openRangeOptions = {
  from: { short: "f", value: date, description: "Start: a date, seconds, or relative as in now-7d" },
  to: { short: "t", value: date, description: "End, exclusive" },
} as const satisfies Options;

/** Options of evaluations and backtests. */
export const recordOptions = {
  record: { description: "Store the anomalies with those of the model: torus list-anomalies" },
  hooks: { description: "With --record: also notify the hooks of newly stored anomalies" },
} as const;

/** One series of a model with `group_by`. */
export const seriesOption = {
  series: { value: "TAGS", description: "Series of a model with group_by, as in host=a,cpu=0" },
} as const satisfies Options;

/** A page of lists of series. */
export const pageOptions = {
  page: { value: "N", type: "integer", description: "Page of the series, from 0" },
  "per-page": { value: "N", type: "integer", description: "Series of a page, up to 100" },
} as const satisfies Options;

export const detachOption = {
  detach: { aliases: ["no-wait", "bg"], description: "Print the id of the job instead of waiting for it" },
} as const satisfies Options;

export const forceOption = {
  force: { short: "f", description: "Replace an existing resource of this name" },
} as const satisfies Options;

/** Kept for old command lines. */
export const allOption = {
  all: { short: "a", description: "Print all details as YAML" },
} as const satisfies Options;

/** A range as query parameters, without absent ones. */
export function rangeQuery(range: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): Record<string, string> {
  return definedOnly({ from: range.from, to: range.to });
}

/** A copy without undefined and false values, i.e. unset options. */
export function definedOnly<T extends string | number | boolean>(
  values: Readonly<Record<string, T | undefined>>,
): Record<string, T> {
  const kept = Object.entries(values).filter(
    (entry): entry is [string, T] => entry[1] !== undefined && entry[1] !== false,
  );
  return Object.fromEntries(kept);
}
