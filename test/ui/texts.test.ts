// Texts: every language has the same keys, and no text is empty.
import { expect, test } from "bun:test";
import { de } from "../../src/ui/texts/de.ts";
import { enScreens, en as list, type Texts } from "../../src/ui/texts/en.ts";

const en: Texts = { ...list, ...enScreens };

const keysOf = (value: unknown, path = ""): string[] =>
  typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => keysOf(inner, `${path}.${key}`))
    : [path];
const textsOf = (value: unknown): string[] => {
  if (typeof value === "function") return [String(value(1, 2, 3))];
  if (typeof value === "string") return [value];
  const entries = Object.entries(value as object).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.flatMap(([, inner]) => textsOf(inner));
};

test("the languages have the same keys", () => expect(keysOf(de).sort()).toEqual(keysOf(en).sort()));

test("every text says something, and German is not English", () => {
  for (const text of [...textsOf(en), ...textsOf(de)]) expect(text.trim()).not.toBe("");
  const same = textsOf(en).filter((text, i) => text === textsOf(de)[i]);
  expect(same.length).toBeLessThan(20);
});
