// README.md and the pages: consistent with the schemas, links and tests they name exist.
import { expect, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parts } from "../bench/parts.ts";
import { blockNames, measuredBlocks, updateBlocks } from "./blocks.ts";
import { listPages, readBlocks, readPage, root } from "./pages.ts";
import { measuredParts } from "./speed.ts";

const MAX_WIDTH = 120;
/** With the tables of cost against size. */
const MAX_README = 160;
const pages = listPages();
const all = pages.map(({ text }) => text).join("\n");

test.each(pages)("the generated blocks of $path are current (npm run readme)", ({ text }) => {
  expect(updateBlocks(text)).toBe(text);
});

test.each(blockNames)("block %s stands in one page", (name) => {
  expect(all.split(`<!-- ${name} -->\n`)).toHaveLength(2);
});

const described = blockNames.filter((name) => !measuredBlocks.includes(name));
test.each(described)("every row of block %s says what it is for", (name) => {
  const rows = all
    .split(`<!-- ${name} -->\n`)[1]!
    .split(`<!-- /${name} -->`)[0]!
    .split("\n")
    .filter((line) => line.startsWith("| ") && !line.startsWith("| ---"))
    .filter((line) => !/^\| (command|endpoint|setting|metric|what|exit code|part) \|/.test(line));
  expect(rows.length).toBeGreaterThan(2);
  for (const row of rows) expect(row).toMatch(/^\| (`[^`]+`|[a-z][^|]+) \| (.* \| )*(\S.{3,}|\d+) \|$/);
});

test("what is shown of speed was measured by every part there is", () => {
  expect(measuredParts).toEqual(parts.map(({ name }) => name));
});

test("every setting has a description", () => {
  const table = updateBlocks("<!-- settings -->\n<!-- /settings -->").split("\n").slice(3, -1);
  expect(table.length).toBeGreaterThan(15);
  for (const row of table) expect(row).toMatch(/^\| `[\w.]+` \| .* \| .* \| \S.+ \|$/);
});

test("README.md is short", () => {
  expect(readPage("README.md").text.split("\n").length).toBeLessThan(MAX_README);
});

test.each(pages)("$path: lines of prose fit a screen, blocks of code say their language", ({ text }) => {
  const generated = new RegExp(`^<!-- (${blockNames.join("|")}) -->$[\\s\\S]*?^<!-- /\\1 -->$`, "gm");
  const prose = text
    .replace(/^```[\s\S]*?^```$/gm, "")
    .replace(generated, "")
    .split("\n");
  const wide = prose.filter((line) => line.length > MAX_WIDTH && !/^(\||<!--)/.test(line));
  expect(wide).toEqual([]);
  expect(
    readBlocks(text).filter(({ language }) => !/^(sh|python|ts|text|yaml|toml|json)$/.test(language)),
  ).toEqual([]);
});

test.each(pages)("$path: what it links to exists, headings too", ({ path, text }) => {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target!);
  const broken = links.filter((link) => !/^https?:/.test(link) && !exists(path, link));
  expect(broken).toEqual([]);
});

/** @param link as in `page.md#heading`, seen from the page at `path` */
function exists(path: string, link: string): boolean {
  const [file = "", heading] = link.split("#");
  const target = file === "" ? path : normalize(join(dirname(path), file));
  if (!existsSync(join(root, target))) return false;
  return heading === undefined || listHeadings(readFileSync(join(root, target), "utf8")).includes(heading);
}

function listHeadings(text: string): string[] {
  return [...text.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );
}

test("every promise names a test that exists", () => {
  const rows = readPage("docs/promises.md").text.match(/^\| \d+ \|.*$/gm) ?? [];
  expect(rows.length).toBeGreaterThan(20);
  const shown = rows.flatMap((row) => row.split("|").at(-2)!.split("<br>"));
  const missing = shown.filter((one) => {
    const [, file = "", name = ""] = /^`(test\/[^`]+)`: (.+)$/.exec(one.trim()) ?? [];
    return !(existsSync(join(root, file)) && holdsTest(readFileSync(join(root, file), "utf8"), name));
  });
  expect(missing).toEqual([]);
});

/** Whether a source has a test of this very name, given as a literal. */
function holdsTest(source: string, name: string): boolean {
  return name !== "" && ['"', "'", "`"].some((quote) => source.includes(`${quote}${name}${quote}`));
}
