// Site of the documentation: complete, links that lead somewhere, nothing from other hosts, bounded sizes.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { buildSite } from "../../.ci/site/index.ts";

const MAX_PAGE = 50_000;
const MAX_INDEX = 500_000;
const MAX_SCRIPT = 5000;

const root = join(import.meta.dir, "../..");
const files = new Map((await buildSite()).map(({ name, bytes }) => [name, bytes]));
const textOf = (name: string) => new TextDecoder().decode(files.get(name)!);
const pages = [...files.keys()].filter((name) => name.endsWith(".html"));

const names = [...new Glob("*.md").scanSync(join(root, "docs"))].map((name) =>
  name.replace(/\.md$/, ".html"),
);
test.each([
  "index.html",
  "changelog.html",
  ...names,
])("%s is in the list of pages, llms.txt and search", (name) => {
  expect(textOf("index.html")).toContain(`<li><a href="${name}"`);
  expect(textOf("llms.txt")).toMatch(new RegExp(`^- \\[.+\\]\\(${name}\\): \\S.+\\.$`, "m"));
  expect(textOf("llms-full.txt")).toContain(`File: ${name}\n\n# `);
  expect(textOf("search-index.js")).toContain(`"address":"${name}"`);
});

test.each(pages)("%s: links, pictures and anchors exist", (name) => {
  const broken = [...textOf(name).matchAll(/ (?:href|src)="([^"]+)"/g)]
    .map(([, address]) => address!)
    .filter((address) => !/^https?:/.test(address) && !exists(name, address));
  expect(broken).toEqual([]);
});

function exists(from: string, address: string): boolean {
  const [file = "", anchor] = address.split("#");
  const target = file === "" ? from : file;
  return files.has(target) && (anchor === undefined || textOf(target).includes(` id="${anchor}"`));
}

test.each(pages)("%s is a whole page with one heading of the first level, and each id once", (name) => {
  const text = textOf(name);
  expect(text).toStartWith('<!DOCTYPE html>\n<html lang="en">');
  expect(text.match(/<h1 /g)).toHaveLength(1);
  const ids = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
  expect(ids.filter((id, i) => id === "" || ids.indexOf(id) !== i)).toEqual([]);
});

test.each(pages)("%s loads nothing from other hosts, and has no code or style in it", (name) => {
  const text = textOf(name);
  const loaded = [...text.matchAll(/<(?:script|link|img)\b[^>]*?(?:src|href)="([^"]*)"/g)].map(
    ([, from]) => from!,
  );
  expect(loaded.filter((from) => /^(?:\w+:|\/)/.test(from))).toEqual([]);
  expect(text.match(/<script[^>]*>/g)).toEqual(['<script defer src="search.js">']);
  expect(text).not.toMatch(/<style| style="| on\w+="/);
  expect(text).toContain("default-src 'none'; script-src 'self' file:;");
});

test.each(pages)("%s is small", (name) => {
  expect(files.get(name)!.length).toBeLessThan(MAX_PAGE);
});

test("the search is small", () => {
  expect(files.get("search-index.js")!.length).toBeLessThan(MAX_INDEX);
  expect(files.get("search.js")!.length).toBeLessThan(MAX_SCRIPT);
});

test("the style and the script load nothing", () => {
  expect(textOf("style.css")).not.toMatch(/url\(|@import/);
  expect(textOf("search.js")).not.toMatch(/https?:|fetch\(|innerHTML/);
});

test("equal documents give equal bytes", async () => {
  const again = await buildSite();
  expect(again.map(({ name }) => name)).toEqual([...files.keys()]);
  for (const { name, bytes } of again) expect(Buffer.compare(bytes, files.get(name)!)).toBe(0);
});

test("llms.txt has a heading, a summary and lists of links", () => {
  const [heading, , summary] = textOf("llms.txt").split("\n");
  expect(heading).toBe("# Torus");
  expect(summary).toMatch(/^> Torus is a model server/);
});

test("pictures are those of the repository", () => {
  expect(files.get("pictures/model.png")).toEqual(readFileSync(join(root, "docs/pictures/model.png")));
});
