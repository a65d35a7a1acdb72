// Chunked JSON equals `JSON.stringify`.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  JsonPages,
  JsonStream,
  JsonText,
  jsonPieces,
  pagePieces,
  streamPieces,
} from "../../../src/core/formats/json-pieces.ts";
import { sortKeys } from "../../../src/core/input/json.ts";

test("any value", () => {
  fc.assert(
    fc.property(fc.anything({ withDate: true, withNullPrototype: true }), (value) => {
      expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value) ?? "null");
    }),
  );
});

test("keys in order", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect([...jsonPieces(value, { isSorted: true })].join("")).toBe(JSON.stringify(sortKeys(value)));
    }),
  );
  const value = [
    ...Array.from({ length: 3000 }, (_, i) => i),
    { b: 1, a: [{ d: 1, c: 2 }, 3] },
    "x".repeat(5000),
  ];
  expect([...jsonPieces(value, { isSorted: true })].join("")).toBe(JSON.stringify(sortKeys(value)));
});

test("a large value comes in pieces of one size", () => {
  const value = { a: Array.from({ length: 200_000 }, (_, i) => i / 7), b: { c: "x", d: undefined } };
  const pieces = [...jsonPieces(value)];
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(pieces.length).toBeGreaterThan(10);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000);
});

test("long texts of a list come one by one", () => {
  const value = { list: Array.from({ length: 5 }, (_, i) => String(i).repeat(300_000)) };
  const pieces = [...jsonPieces(value)];
  expect(pieces.join("")).toBe(JSON.stringify(value));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000);
});

test("a stream holds texts where they stand, each as often as it is named", async () => {
  let opened = 0;
  const text = new JsonText(async function* () {
    opened++;
    yield '{"n":';
    yield "[1]}";
  });
  const entries = [
    { id: "a", result: text, more: 1 },
    { id: "b", gone: undefined },
    { id: "a", result: text },
  ];
  let joined = "";
  for await (const piece of streamPieces(new JsonStream(entries, 0))) joined += piece;
  const result = { n: [1] };
  expect(joined).toBe(JSON.stringify([{ id: "a", result, more: 1 }, { id: "b" }, { id: "a", result }]));
  expect(opened).toBe(2);
});

test("pages make one array, without those that are empty", async () => {
  const textOf = async (...pages: object[][]) => {
    const stream = async function* () {
      yield* pages;
    };
    const pieces: string[] = [];
    for await (const piece of pagePieces(new JsonPages(stream()))) pieces.push(piece);
    return pieces.join("");
  };
  expect(await textOf([{ a: 1 }, { b: "," }], [], [{ c: null }])).toBe('[{"a":1},{"b":","},{"c":null}]');
  expect(await textOf()).toBe("[]");
  expect(await textOf([])).toBe("[]");
});
