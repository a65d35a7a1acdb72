// Reading codes: kinds of the error of a failed reading of a calendar.
import type { ErrorCode } from "../errors.ts";

export const readingCodes = [
  "unreachable",
  "unauthorized",
  "rejected",
  "deadline",
  "invalid",
  "internal",
] as const;
/** `unreachable`: no connection, another attempt may help; `invalid`: the text cannot be read. */
export type ReadingCode = (typeof readingCodes)[number];

const codes: Partial<Readonly<Record<ErrorCode, ReadingCode>>> = {
  bucket_unavailable: "unreachable",
  overloaded: "unreachable",
  bucket_auth: "unauthorized",
  deadline: "deadline",
  invalid: "invalid",
  internal: "internal",
};

/** Of an error that an address, or the way to it, answers, or that its text has. */
export function readingCodeOf(code: ErrorCode): ReadingCode {
  return codes[code] ?? "rejected";
}
