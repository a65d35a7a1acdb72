// Zone of times in a CSV file from the options of a command: named for the file, or that of printed times.
import { expect, test } from "bun:test";
import { csvFormatOf } from "../../../src/cli/input/csv-options.ts";

test.each([
  ["Europe/Berlin", "Asia/Tokyo", { timezone: "Europe/Berlin", isAssumedZone: false }],
  [undefined, "Asia/Tokyo", { timezone: "Asia/Tokyo", isAssumedZone: true }],
])("--timezone %p and --tz %p", (timezone, tz, expected) => {
  expect(csvFormatOf({ timezone } as Parameters<typeof csvFormatOf>[0], tz)).toMatchObject(expected);
});
