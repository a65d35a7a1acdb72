// Lenient parsing of booleans, integers and numbers in query strings and bodies (API.md 1).
import { invalid } from "../errors.ts";

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["yes", true],
  ["false", false],
  ["0", false],
  ["no", false],
  ["", false],
]);

/** `true/false/1/0/yes/no` in any case, empty = false; undefined for anything else. */
export function readBoolean(value: unknown): boolean | undefined {
  const word = typeof value === "boolean" || typeof value === "number" ? String(value) : value;
  return typeof word === "string" ? booleanWords.get(word.trim().toLowerCase()) : undefined;
}

/** As `readBoolean`. @throws TorusError `invalid` naming `path` */
export function parseBoolean(value: unknown, path: string): boolean {
  const flag = readBoolean(value);
  if (flag === undefined) throw invalid(path, "must be a boolean: true, false, 1, 0, yes or no");
  return flag;
}

/** A whole number, as a number or as digits. @throws TorusError `invalid` naming `path` */
export function parseInteger(value: unknown, path: string): number {
  const number = readNumber(value);
  if (!Number.isSafeInteger(number)) throw invalid(path, "must be a whole number");
  return number;
}

/** A finite number, as a number or as text. @throws TorusError `invalid` naming `path` */
export function parseNumber(value: unknown, path: string): number {
  const number = readNumber(value);
  if (!Number.isFinite(number)) throw invalid(path, "must be a finite number");
  return number;
}

function readNumber(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value !== "string" || !/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(value.trim()))
    return Number.NaN;
  return Number(value);
}
