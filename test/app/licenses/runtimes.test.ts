// Parts of the runtimes: none of Bun's page and of the compiled engine is left out, each with holder and licence.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { CRATES_OF_BUN } from "../../../src/app/licenses/bun-crates.ts";
import { bunLibraries } from "../../../src/app/licenses/bun-libraries.ts";
import { bunPolyfills } from "../../../src/app/licenses/bun-polyfills.ts";
import { readPackage } from "../../../src/app/licenses/bundled.ts";
import { collectNotices } from "../../../src/app/licenses/notices.ts";
import { onnxLibraries } from "../../../src/app/licenses/onnx-libraries.ts";
import { licensesIn } from "../../../src/app/licenses/part.ts";
import { readPartLicenses, runtimes } from "../../../src/app/licenses/runtimes.ts";
import { readStandard } from "../../../src/app/licenses/standard.ts";

const root = join(import.meta.dir, "../../..");
const parts = runtimes.flatMap((runtime) => runtime.parts);
const page = await Bun.file(join(root, "node_modules/bun-types/docs/project/license.mdx")).text();

/** Names in the tables of a section: the text of the first link of each row. */
function namesIn(section: string): string[] {
  const [, text = ""] = page.split(`\n## ${section}\n`);
  const rows = text.split("\n## ")[0]!.matchAll(/^\|[^|]*?\[`?([^\]`]+)`?\]\(/gm);
  return [...rows].map(([, name]) => name!);
}

test("every library and polyfill of Bun's page is a part, and so is its engine", () => {
  const libraries = namesIn("Linked libraries");
  const polyfills = namesIn("Polyfills");
  expect([libraries.length, polyfills.length]).toEqual([27, 23]);
  const names = bunLibraries.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(["JavaScriptCore", ...libraries]));
  expect(bunPolyfills.map(({ name }) => name)).toEqual(polyfills);
});

test("an update of Bun asks for its crates to be read again", async () => {
  expect((await readPackage("node_modules/bun")).version).toBe(CRATES_OF_BUN);
});

test.each(runtimes)("each part of $title is listed once", ({ parts: own }) => {
  const names = own.map(({ name }) => name);
  expect(names).toEqual([...new Set(names)]);
});

test("every library whose sources the compute runtime names is a part", async () => {
  const path = join(root, "node_modules/onnxruntime-web/dist/ort-wasm-simd-threaded.wasm");
  const text = Buffer.from(await Bun.file(path).bytes()).toString("latin1");
  const named = new Set([...text.matchAll(/\/_deps\/(\w+)-src\//g)].map(([, name]) => name!));
  expect(named.size).toBeGreaterThan(0);
  expect(onnxLibraries.map(({ name }) => name)).toEqual(expect.arrayContaining(["onnxruntime", ...named]));
});

test.each(parts)("$name has an address, a holder or an author, and the text of its licence", async (part) => {
  expect(part.url).toStartWith("https://");
  expect(part.copyright.join("\n")).toMatch(/copyright|\([cC]\)|author|public domain/i);
  for (const id of licensesIn(part.license)) {
    const { text } = (await readStandard(id))!;
    expect(text).not.toMatch(/<(year|owner|copyright holders?)>/);
    expect(text.length).toBeGreaterThan(200);
  }
});

test("the notices hold each part, and the text of each licence", async () => {
  const notices = await collectNotices();
  for (const { name, license, url } of parts) expect(notices).toContain(`\n${name} (${license})\n  ${url}\n`);
  for (const { title, text } of await readPartLicenses(parts)) {
    expect(notices).toContain(`\n${title}\n`);
    expect(notices).toContain(text);
  }
  expect(notices).toContain("based in part on the work of the Independent JPEG Group");
});

test("a licence that SPDX does not list is an error that names it", async () => {
  const part = { name: "x", license: "MIT AND Nobody-1.0", url: "https://example.com", copyright: [] };
  await expect(readPartLicenses([part])).rejects.toThrow("no standard text for Nobody-1.0");
  expect(await readStandard("../package")).toBeUndefined();
});

test.each([
  ["MIT", ["MIT"]],
  ["BSD-3-Clause AND IJG", ["BSD-3-Clause", "IJG"]],
  ["Apache-2.0 WITH LLVM-exception", ["Apache-2.0"]],
])("the licences in %s are %p", (expression, names) => expect(licensesIn(expression)).toEqual(names));
