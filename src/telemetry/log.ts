// Structured log: one line per event, JSON or text; control characters escaped, secrets hidden.
import { type ErrorCode, TorusError } from "../core/errors.ts";
import { OutageLines } from "./outage-lines.ts";

export const logLevels = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof logLevels)[number];

export type LogFields = Readonly<Record<string, unknown>>;

export interface Log {
  debug(msg: string, fields?: LogFields): void;
  info(msg: string, fields?: LogFields): void;
  warn(msg: string, fields?: LogFields): void;
  error(msg: string, fields?: LogFields): void;
  /** Whether lines of this level are written; lets callers skip collecting their fields. */
  writes(level: LogLevel): boolean;
  /** A log that adds `fields` to every line. */
  with(fields: LogFields): Log;
}

export const logFormats = ["json", "text"] as const;
export type LogFormat = (typeof logFormats)[number];

interface LogOptions {
  /** Default: json. `text` suits terminals. */
  readonly format?: LogFormat;
  /** Read for every line, as a reload may change it. */
  readonly level: LogLevel;
  /** Writes one line, without line feed. */
  readonly write: (line: string) => void;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Of a state that cannot be read or written: all work says so at once, and again with each attempt. */
const outages: ReadonlySet<ErrorCode> = new Set(["storage_unavailable", "storage_full"]);
const HIDDEN = "[hidden]";
const MAX_TEXT = 8192;
const MAX_DEPTH = 4;
const MAX_ITEMS = 50;
const secretKey =
  /^(authorization|cookie|set-cookie|body|.*(password|passwd|secret|token|api_?key|access_?key|client_?key).*)$/i;
const userInfo = /(?<=[a-z0-9+.-]:\/\/)[^\s/@]+@/gi;

/** Creates a log that keeps lines of `level` and above, and of an outage one line a minute per message. */
export function createLog(options: LogOptions): Log {
  return bindLog(options, new OutageLines(), {});
}

function bindLog(options: LogOptions, repeats: OutageLines, bound: LogFields): Log {
  const writes = (level: LogLevel): boolean => logLevels.indexOf(level) >= logLevels.indexOf(options.level);
  const emit = (level: LogLevel, msg: string, fields: LogFields = {}): void => {
    const code = fields.error instanceof TorusError ? fields.error.code : undefined;
    // An outage is no fault of this program: a warning in one line.
    const shown = code === "storage_unavailable" && level === "error" ? "warn" : level;
    if (!writes(shown)) return;
    const repeated = code && outages.has(code) ? repeats.take(`${code} ${msg}`, options.now()) : 0;
    if (repeated === undefined) return;
    const line = { level: shown, time: new Date(options.now()).toISOString() };
    const cleaned = cleanFields({ msg, ...bound, ...fields, ...(repeated > 0 && { repeated }) }, 0);
    options.write((options.format === "text" ? formatText : formatJson)({ ...line, ...cleaned }));
  };
  return {
    debug: (msg, fields) => emit("debug", msg, fields),
    info: (msg, fields) => emit("info", msg, fields),
    warn: (msg, fields) => emit("warn", msg, fields),
    error: (msg, fields) => emit("error", msg, fields),
    writes,
    with: (fields) => bindLog(options, repeats, { ...bound, ...fields }),
  };
}

function formatJson(line: LogFields): string {
  return escapeControls(JSON.stringify(line));
}

/** As in `2026-01-31T12:00:00.000Z INFO  listening url=http://localhost:8077/`. */
function formatText({ level, time, msg, ...fields }: LogFields): string {
  const pairs = Object.entries(fields).map(([key, value]) => `${plain(key)}=${plain(value)}`);
  const words = [time, String(level).toUpperCase().padEnd(5), escapeText(String(msg)), ...pairs];
  return escapeControls(words.join(" "));
}

/** Single words unquoted, everything else as JSON. */
function plain(value: unknown): string {
  return typeof value === "string" && /^[\w./:@+-]+$/.test(value) ? value : (JSON.stringify(value) ?? "null");
}

/** JSON escapes without the quotes. */
function escapeText(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function cleanFields(fields: LogFields, depth: number): Record<string, unknown> {
  const cleaned: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields).slice(0, MAX_ITEMS))
    cleaned[key] = secretKey.test(key) ? HIDDEN : cleanValue(value, depth);
  return cleaned;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === "string") return cleanText(value);
  if (typeof value === "bigint" || typeof value === "symbol" || typeof value === "function")
    return String(value).slice(0, 100);
  if (typeof value !== "object" || value === null) return value;
  if (value instanceof Error) return cleanError(value);
  if (depth >= MAX_DEPTH) return "[deep]";
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => cleanValue(item, depth + 1));
  return cleanFields(value as LogFields, depth + 1);
}

function cleanError(error: Error): Record<string, unknown> {
  const cleaned: Record<string, unknown> = { name: error.name, message: cleanText(error.message) };
  // One that explains itself needs no place in the program.
  if (error instanceof TorusError) cleaned.code = error.code;
  else if (error.stack) cleaned.stack = cleanText(error.stack);
  return cleaned;
}

function cleanText(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}...` : text;
  return short.replace(userInfo, `${HIDDEN}@`);
}

/** Escapes control characters from U+007F on and line separators, which JSON does not escape. */
function escapeControls(json: string): string {
  return json.replace(
    /[\u007f-\u009f\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
