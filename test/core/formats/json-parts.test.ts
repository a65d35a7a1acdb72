// JSON in parts: any text gives what `JSON.parse` gives, value or error, however short the parts are.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { parseInParts } from "../../../src/core/formats/json-parts.ts";
import { roundsOf } from "../../support/rounds.ts";

const options = {
  parsePart: JSON.parse as (text: string) => unknown,
  notJson: () => new SyntaxError("no JSON"),
};

function parse(text: string, characters: number): Promise<unknown> {
  return parseInParts(text, { ...options, characters, pause: () => undefined });
}

/** As `JSON.parse`: the value, or undefined. */
async function outcomeOf(run: () => unknown): Promise<unknown> {
  try {
    return JSON.stringify(await run());
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const characters = fc.integer({ min: 1, max: 40 });

test("any value, with spaces and without", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6 }),
      characters,
      fc.constantFrom(0, 1),
      async (given, size, indent) => {
        const text = JSON.stringify(JSON.parse(given), null, indent);
        expect(await parse(` ${text}\n`, size)).toEqual(JSON.parse(text));
      },
    ),
    { numRuns: roundsOf(2000) },
  );
});

test("any text of brackets, keys, commas and quotes", async () => {
  const tokens = [
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"a"',
    '"\\""',
    '"\\\\"',
    '"',
    "1",
    " ",
    "[1,2]",
    '{"b":[3]}',
    "null",
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...tokens), { maxLength: 14 }),
      characters,
      async (list, size) => {
        const text = list.join("");
        expect([text, await outcomeOf(() => parse(text, size))]).toEqual([
          text,
          await outcomeOf(() => JSON.parse(text)),
        ]);
      },
    ),
    { numRuns: roundsOf(20_000) },
  );
});

test("one character of a value changed, left out or put in", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 5 }),
      characters,
      fc.nat(),
      fc.constantFrom("", ",", "]", "}", "[", "{", '"', ":", "0"),
      fc.integer({ min: 0, max: 1 }),
      async (given, size, place, put, removed) => {
        const at = place % (given.length + 1);
        const text = given.slice(0, at) + put + given.slice(at + removed);
        expect([text, await outcomeOf(() => parse(text, size))]).toEqual([
          text,
          await outcomeOf(() => JSON.parse(text)),
        ]);
      },
    ),
    { numRuns: roundsOf(5000) },
  );
});

test("a key __proto__ is one like others", async () => {
  const text = '{"a":1,"__proto__":[1,2,3],"b":{"__proto__":{"c":1}}}';
  for (const size of [1, 5, 100]) expect(JSON.stringify(await parse(text, size))).toBe(text);
});

test("pauses within a long list of an object of a list", async () => {
  let pauses = 0;
  const value = [{ a: { points: Array.from({ length: 10_000 }, (_, i) => ({ i, t: "[\\" })) }, b: 1 }];
  const pause = () => {
    pauses++;
    return undefined;
  };
  expect(await parseInParts(JSON.stringify(value), { ...options, characters: 1000, pause })).toEqual(value);
  expect(pauses).toBeGreaterThan(50);
});
