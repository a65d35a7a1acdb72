// Finder: entries by a part of their name, best first.
import { expect, test } from "bun:test";
import { findEntries } from "../../../src/ui/lib/finder.ts";

const entries = ["Models", "web-cpu", "cpu", "xcpu", "Cpu total"].map((name) => ({
  name,
  kind: "",
  path: [name],
}));
const found = (text: string) => findEntries(entries, text).map(({ name }) => name);

test("beginnings first, then words, then other places", () =>
  expect(found("CPU")).toEqual(["cpu", "Cpu total", "web-cpu", "xcpu"]));
test("without a text all are found, in their order", () => expect(found(" ")).toHaveLength(5));
test("nothing is found where no name holds the text", () => expect(found("zz")).toEqual([]));
test("at most twelve are found", () => {
  const many = Array.from({ length: 30 }, (_, i) => ({ name: `m${i}`, kind: "", path: [] }));
  expect(findEntries(many, "m")).toHaveLength(12);
});
