// Tar headers, read by the tar of the system.
import { expect, test } from "bun:test";
import { TAR_BLOCK, TAR_END, tarHeader, tarPadding } from "../../../src/core/formats/tar.ts";

const list = (archive: Uint8Array) =>
  Bun.spawnSync(["tar", "--list", "--verbose", "--utc", "--numeric-owner"], { stdin: archive })
    .stdout.toString()
    .trim();

test("tar lists name, mode, size and time", () => {
  const header = tarHeader({ name: "buckets/a.db", size: 0, modifiedAt: Date.UTC(2026, 0, 31, 12) });
  expect(header.length).toBe(TAR_BLOCK);
  expect(list(Buffer.concat([header, TAR_END]))).toBe(
    "-rw------- 0/0               0 2026-01-31 12:00 buckets/a.db",
  );
});

test("a size beyond eight gigabytes is written in base 256", () => {
  const size = 9 * 2 ** 30 + 5;
  const header = tarHeader({ name: "big", size, modifiedAt: 0 });
  // The contents are missing: tar says so, after it has listed the entry.
  expect(list(header)).toContain(` ${size} `);
});

test.each([
  [0, 0],
  [1, 511],
  [511, 1],
  [512, 0],
  [513, 511],
])("contents of %i bytes are filled up with %i", (size, padding) => expect(tarPadding(size)).toBe(padding));

test("a name that does not fit is refused", () => {
  expect(() => tarHeader({ name: "ä".repeat(51), size: 0, modifiedAt: 0 })).toThrow(RangeError);
});
