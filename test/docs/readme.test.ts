// README.md says what the schemas say.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { blockNames, updateBlocks } from "./blocks.ts";

test("the generated blocks of README.md are current (bun test/docs/readme.ts)", async () => {
  const text = await Bun.file(join(import.meta.dir, "../../README.md")).text();
  expect(updateBlocks(text)).toBe(text);
});

test.each(blockNames)("README.md has the block %s, and every row of it says what it is for", async (name) => {
  const text = await Bun.file(join(import.meta.dir, "../../README.md")).text();
  const [, block = ""] = text.split(`<!-- ${name} -->\n`);
  const rows = block
    .split(`<!-- /${name} -->`)[0]!
    .split("\n")
    .filter((line) => line.startsWith("| `"));
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) expect(row).toMatch(/^\| `[^`]+` \| (.* \| )*\S.{3,} \|$/);
});

test("every setting has a description", () => {
  const table = updateBlocks("<!-- settings -->\n<!-- /settings -->").split("\n").slice(3, -1);
  expect(table.length).toBeGreaterThan(15);
  for (const row of table) expect(row).toMatch(/^\| `[\w.]+` \| .* \| .* \| \S.+ \|$/);
});
