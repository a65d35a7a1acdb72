// Content negotiation: columns for those that name them, JSON for all others.
import { expect, test } from "bun:test";
import { preferredTable } from "../../../src/http/columns/accept.ts";

const ARROW = "application/vnd.apache.arrow.stream";

test.each([
  ["no header", null, undefined],
  ["an empty one", "", undefined],
  ["a wildcard", "*/*", undefined],
  ["a partial wildcard", "text/*", undefined],
  ["JSON", "application/json", undefined],
  ["a browser", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", undefined],
  ["a format that there is not", "application/vnd.apache.parquet", undefined],
  ["the file format of Arrow", "application/vnd.apache.arrow.file", undefined],
  ["CSV", "text/csv", "csv"],
  ["CSV with parameters, in any case", "Text/CSV; Charset=utf-8; header=present", "csv"],
  ["Arrow", ARROW, "arrow"],
  ["the greater weight", `text/csv;q=0.5, ${ARROW};q=0.9`, "arrow"],
  ["the first of equal weights", `text/csv, ${ARROW}`, "csv"],
  ["JSON first", "application/json, text/csv", undefined],
  ["JSON second", "text/csv, application/json", "csv"],
  ["JSON with less weight", "application/json;q=0.9, text/csv", "csv"],
  ["a name before a wildcard", `*/*, ${ARROW}`, "arrow"],
  ["a wildcard with more weight", "text/csv;q=0.5, */*", undefined],
  ["the specific range of JSON", "application/json;q=0.1, */*, text/csv;q=0.5", "csv"],
  ["a weight of 0", "text/csv;q=0, */*;q=0.1", undefined],
  ["nothing but a weight of 0", "text/csv;q=0", undefined],
  ["JSON with a weight of 0", "application/json;q=0, text/csv;q=0.1", "csv"],
  ["a malformed weight", "text/csv;q=much", undefined],
  ["a weight beyond 1", "text/csv;q=7", undefined],
] as const)("%s", (_, accept, format) => {
  expect(preferredTable(accept)).toBe(format);
});
