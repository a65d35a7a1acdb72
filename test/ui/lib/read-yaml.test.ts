// Settings from JSON and YAML: what the dashboard writes, what people type, and what is refused with its line.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parse, parseDocument } from "yaml";
import { readYaml, YamlError } from "../../../src/ui/lib/read-yaml.ts";
import { writeYaml } from "../../../src/ui/lib/yaml.ts";

const settings = {
  name: "{{host}}-disk",
  bucket_interval: "1m",
  max_evals: 3,
  live: true,
  none: null,
  empty: [],
  odd: "a: b # c",
  features: [
    { name: "used", field: "used", match_all: [{ tag: "host", value: "{{host}}" }] },
    { name: "free", io: "o", limits: [1.5, -2] },
  ],
  retrain: { every: { unit: "day", at: "03:00" }, range: "30d" },
};

test("what the dashboard writes is read back, from YAML and JSON", () => {
  expect(readYaml(writeYaml(settings))).toEqual(settings);
  expect(readYaml(JSON.stringify(settings, null, 2))).toEqual(settings);
});

test.each([
  "a: 1 # one\n# more\nb: 'it''s'\n",
  "---\nfeatures:\n- name: x\n  metric: avg\n- name: y\n",
  'a:\n  - - 1\n    - 2\n  - z: {"k": [1]}\nurl: http://x:1/y\n',
  "a:\nb:\n  c:\n",
  "a: True\nb: FALSE\nc: Null\nd: ~\ne: yes\n",
  "a: +1\nb: 1.\nc: 0x10\nd: 0o17\ne: 007\nf: -.5\ng: 1e3\nh: 30d\n",
  "- x # one\n- #\n- y: 1 # two\n  z: 2\n",
])("%j is read as by a full parser", (text) => expect(readYaml(text)).toEqual(parse(text)));

test("a text of random parts is read as by a full parser, or refused", () => {
  const parts = [
    "a",
    "b: ",
    "- ",
    "\n",
    "\n  ",
    " # c",
    "'d'",
    '"e"',
    "1",
    "+",
    ".",
    "~",
    "<<",
    "[",
    "]",
    "---",
    "\t",
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 9 }).map((some) => some.join(""));
  const isRight = (written: string) => {
    const read = readOrUndefined(written);
    if (read === undefined) return;
    expect(parseDocument(written, { merge: true }).errors).toEqual([]);
    expect(read).toEqual(parse(written, { merge: true }));
  };
  fc.assert(fc.property(text, isRight), { numRuns: 3000 });
});

function readOrUndefined(text: string): unknown {
  try {
    return readYaml(text);
  } catch {
    return undefined;
  }
}

test.each([
  ["a: 1\nb", 2],
  ["a: |\n  text", 1],
  ["a: 1\n   b: 2", 2],
  ["a: 1\n\tb: 2", 2],
  ["a: {b: 1}", 1],
  ["{", 1],
  ["- 1\na: 2", 2],
  ["a: 1\nb: 2\na: 3", 3],
  ["a: 1\n1: 2", 2],
  ["<<: x", 1],
  ["a: b: c", 1],
  ["a: - b", 1],
  ["a: .inf", 1],
  ["a: ]", 1],
  ["a: 'b'c'", 1],
  ["b # c: 1", 1],
  ["a: 1\n---\nb: 2", 2],
  ["a: 1\n\u00a0b: 2", 2],
])("%j is refused at its line", (text, line) => {
  expect(() => readYaml(text)).toThrow(YamlError);
  expect(() => readYaml(text)).toThrow(`line ${line}`);
});
