// Literals of PromQL: strings, numbers, durations; each read and written as Prometheus does.
import { badData } from "../errors.ts";

const units: Readonly<Record<string, number>> = {
  y: 365 * 86_400_000,
  w: 7 * 86_400_000,
  d: 86_400_000,
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
};
/** Longest duration, about 292 years. */
const MAX_MS = 9.2e12;

/** A duration such as `1h30m`, ms; undefined for other texts. Each unit at most once, in descending order. */
export function parseDurationText(text: string): number | undefined {
  const match = /^(\d+y)?(\d+w)?(\d+d)?(\d+h)?(\d+m)?(\d+s)?(\d+ms)?$/.exec(text);
  if (!match || text === "") return undefined;
  let ms = 0;
  for (const part of match.slice(1))
    if (part) ms += Number.parseInt(part, 10) * units[part.replace(/\d+/, "")]!;
  return ms;
}

/** A number, or a duration as seconds. @throws PromqlError `bad_data` */
export function parseNumber(text: string, at?: number): number {
  const [, sign = "", plain = ""] = /^([+-]?)\s*(.*)$/s.exec(text)!;
  const value = parseUnsigned(plain.toLowerCase());
  if (value === undefined) throw badData(`bad number ${text}`, at);
  return sign === "-" ? -value : value;
}

function parseUnsigned(text: string): number | undefined {
  if (text === "inf") return Infinity;
  if (text === "nan") return Number.NaN;
  if (/^0x[0-9a-f]+$/.test(text)) return Number.parseInt(text.slice(2), 16);
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8);
  if (/^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text)) return Number(text);
  const ms = parseDurationText(text);
  return ms === undefined ? undefined : ms / 1000;
}

/** A duration, or a number of seconds, as ms. @throws PromqlError `bad_data` */
export function parseDuration(text: string, at?: number): number {
  const ms = parseDurationText(text) ?? Math.round(parseNumber(text, at) * 1000);
  if (!Number.isFinite(ms) || Math.abs(ms) > MAX_MS) throw badData("duration out of range", at);
  return ms;
}

/** As Prometheus writes durations: `1h30m`, `250ms`, `0s`. */
export function formatDuration(ms: number): string {
  if (ms === 0) return "0s";
  let left = Math.abs(ms);
  let text = ms < 0 ? "-" : "";
  for (const [unit, size] of Object.entries(units)) {
    // Years and weeks only where nothing is left over, as 1y and 1w are rare ways to say 365d and 7d.
    if ((unit === "y" || unit === "w") && left % size !== 0) continue;
    const count = Math.floor(left / size);
    if (count > 0) text += `${count}${unit}`;
    left -= count * size;
  }
  return text;
}

/** The shortest decimal digits that read as the same number, without an exponent; `+Inf`, `-Inf`, `NaN`. */
export function formatNumber(value: number): string {
  if (Number.isNaN(value)) return "NaN";
  if (!Number.isFinite(value)) return value > 0 ? "+Inf" : "-Inf";
  if (Object.is(value, -0)) return "-0";
  const text = String(value);
  if (!text.includes("e")) return text;
  const [, sign = "", whole = "", fraction = "", exponent = ""] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`;
  return sign + digits.padEnd(point, "0");
}

const escapes: Readonly<Record<string, string>> = {
  ...{ a: "\u0007", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" },
  ...{ "\\": "\\", "'": "'", '"': '"' },
};
const escaped = /((?:\\x[0-9a-fA-F]{2}|\\[0-7]{3})+)|\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))/gs;

/**
 * A quoted string with Go's escapes, of which `\x` and octal ones are bytes of UTF-8; backquotes hold no escapes.
 * @throws PromqlError `bad_data`
 */
export function parseString(text: string, at?: number): string {
  const quote = text[0]!;
  if (text.length < 2 || !text.endsWith(quote)) throw badData("unterminated quoted string", at);
  const inner = text.slice(1, -1);
  if (quote === "`") return inner;
  // A backslash before the last quote escapes it.
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(inner)) throw badData("unterminated quoted string", at);
  return inner.replace(escaped, (_, bytes, short, long, char) => {
    if (bytes !== undefined) return textOfBytes(bytes, at);
    const code = short ?? long;
    if (code !== undefined) return characterOf(Number.parseInt(code, 16), at);
    const known = escapes[char as string];
    if (known === undefined) throw badData(`unknown escape sequence \\${char}`, at);
    return known;
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOfBytes(escapes: string, at: number | undefined): string {
  const codes = escapes
    .slice(1)
    .split("\\")
    .map((code) => (code.startsWith("x") ? Number.parseInt(code.slice(1), 16) : Number.parseInt(code, 8)));
  try {
    if (codes.every((code) => code <= 0xff)) return utf8.decode(Uint8Array.from(codes));
  } catch {
    // Refused below, as bytes that no escape can write.
  }
  throw badData(`${escapes} is not UTF-8`, at);
}

function characterOf(code: number, at: number | undefined): string {
  if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) throw badData("invalid Unicode code point", at);
  return String.fromCodePoint(code);
}

export function formatString(value: string): string {
  return JSON.stringify(value);
}
