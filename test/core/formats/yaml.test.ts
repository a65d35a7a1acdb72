// YAML: each mistake that people make is said in words, at its place, and without the text around it.
import { expect, test } from "bun:test";
import { placeOf, readYaml, readYamlDocuments } from "../../../src/core/formats/yaml.ts";

test.each([
  ["server:\n\tlisten: x", "f:2:1", /^a tab /],
  ["a:\n  b: 1\n c: 2", "f:3:1", /indented/],
  ["a: 1\na: 2", "f:2:1", /twice/],
  ["addr: host: 80", "f:1:7", /colon stands within a value/],
  ["{a: 1 b: 2}", "f:1:5", /comma/],
  ["name:q\ntype: local", "f:1:1", /colon with a space/],
  ["{a: 1", "f:1:6", /closing/],
  ["password: @secret", "f:1:11", /begins with .*quote it/],
  ['path: "C:\\data"', "f:1:10", /backslash/],
  ["text: 'it's'", "f:1:11", /left over/],
  ["a: 1\n---\nb: 2", "f:2:1", /second document/],
  ["a: &x &y 1", "f:1:7", /^multiple anchors$/],
  ["name: *all", "f", /begin with \*/],
  ["a: 1\nname: {{host}}", "f:2:8", /quote the text/],
  ["a: [{b: {? [c] : 1}}]", "f:1:12", /key is a list or an object/],
  ["x: &x [*x]", "f", /own anchor/],
  ["x: &x {y: {z: *x}}", "f", /own anchor/],
])("%j", (text, place, reason) => {
  const found = readYaml(text);
  if (!("mistake" in found)) throw new Error("no mistake was found");
  expect(placeOf(found.mistake, "f")).toBe(place);
  expect(found.mistake.reason).toMatch(reason);
  expect(found.mistake.reason).not.toContain("secret");
});

test("an anchor that is used twice is no circle", () => {
  expect(readYaml("a: &x {n: [1]}\nb: *x\nc: {<<: *x, d: *x}")).toEqual({
    value: { a: { n: [1] }, b: { n: [1] }, c: { n: [1], d: { n: [1] } } },
  });
});

test("a text of several documents is read one by one, each with its mistake", () => {
  expect(readYamlDocuments("a: 1\n---\nname: {{host}}\n---\n- 2\n")).toEqual([
    { value: { a: 1 } },
    { mistake: { line: 3, column: 8, reason: "a key is a list or an object: quote the text" } },
    { value: [2] },
  ]);
});

test("keys within keys are refused before they are written as texts", () => {
  expect(readYaml("? ".repeat(4000))).toMatchObject({ mistake: { line: 1, column: 3 } });
});

test("what is nested deeper than the stack is a mistake", () => {
  expect(readYaml("[".repeat(20_000))).toMatchObject({
    mistake: { reason: expect.stringContaining("nested too deeply") },
  });
});
