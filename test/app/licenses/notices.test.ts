// Licence notices: every bundled package with its text, the runtimes, and what the compiled program embeds.
import { expect, test } from "bun:test";
import { listBundled, packagePathOf } from "../../../src/app/licenses/bundled.ts";
import { collectNotices } from "../../../src/app/licenses/notices.ts";
import { readLicense } from "../../../src/app/licenses/texts.ts";

const bundled = await listBundled();
const notices = await collectNotices();

test("the list holds packages of the server, the worker and the dashboard, and none of the tests", () => {
  const names = bundled.map(({ name }) => name);
  for (const name of ["elysia", "onnxruntime-web", "preact", "moment-timezone"])
    expect(names).toContain(name);
  for (const name of ["typescript", "fast-check", "chdb"]) expect(names).not.toContain(name);
});

test.each(bundled)("$name $version has a licence text in the notices", async (one) => {
  const text = await readLicense(one);
  expect(text?.length).toBeGreaterThan(200);
  expect(notices).toContain(text!);
  expect(notices).toContain(`\n${one.name} ${one.version} (${one.license})\n`);
});

test("a package without a licence file and without a known author has no text", async () => {
  const path = "node_modules/preact/src";
  expect(await readLicense({ name: "other", version: "1.0.0", license: "MIT", path })).toBeUndefined();
});

test("the notices begin with the licence of Torus and name the runtimes", () => {
  expect(notices).toStartWith("MIT License\n\nCopyright (c) 2026 The Torus authors\n");
  for (const part of ["Bun 1.", "Bun statically links JavaScriptCore", "ONNX Runtime 1."])
    expect(notices).toContain(part);
});

test.each([
  ["src/main.ts", undefined],
  ["node_modules/a/b/c.js", "node_modules/a"],
  ["node_modules/@s/a/index.js", "node_modules/@s/a"],
  ["node_modules/a/node_modules/@s/b/index.js", "node_modules/a/node_modules/@s/b"],
])("the package of %s is %p", (file, path) => expect(packagePathOf(file)).toBe(path));
