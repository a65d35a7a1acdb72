// File descriptors of the process: counted on Linux, unknown elsewhere.
import { expect, test } from "bun:test";
import { closeSync, openSync } from "node:fs";
import { measureDescriptors } from "../../../src/resources/shared/descriptors.ts";

test.skipIf(process.platform !== "linux")("those that are opened are counted", () => {
  const before = measureDescriptors()!;
  const opened = Array.from({ length: 20 }, () => openSync(import.meta.path, "r"));
  expect(measureDescriptors()!.used - before.used).toBeGreaterThanOrEqual(20);
  for (const descriptor of opened) closeSync(descriptor);
  expect(before.limit).toBeGreaterThan(before.used);
});

test("where there is no such folder nothing is known", () => {
  expect(measureDescriptors("/nowhere")).toBeUndefined();
});
