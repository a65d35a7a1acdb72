// Texts: every language has the same keys, and no text is empty.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../src/cli/commands/index.ts";
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

const root = join(import.meta.dir, "../../src/ui");
const sources = [...new Bun.Glob("**/*.{ts,tsx}").scanSync(root)];
/** Lines as they are typed in a shell, in texts and screens; `\\n` is the end of one in a literal. */
const lines = sources.flatMap((path) =>
  [...readFileSync(join(root, path), "utf8").matchAll(/torus ([a-z][^"'`<]*?)(?:\\n|["'`<.,\n])/g)].map(
    ([, line]) => [path, line!] as const,
  ),
);

test("screens name commands", () => expect(lines.length).toBeGreaterThan(8));

test.each(lines)("%s: torus %s is a command", (_path, line) => {
  const words = line.split(" ");
  const found = commands.find(({ name, aliases = [] }) =>
    [name, ...aliases].some((each) => each === words.slice(0, each.split(" ").length).join(" ")),
  );
  expect(found?.name ?? `unknown: ${line}`).not.toStartWith("unknown");
  const options = Object.keys({ ...found!.options });
  for (const option of words.filter((word) => word.startsWith("--")))
    expect([...options, "force"]).toContain(option.slice(2));
});
