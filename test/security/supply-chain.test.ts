// Dependencies: few, pinned, with checksums, without unknown install scripts.
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProgramPaths, makeSbom, nameAt, readLock } from "../../.ci/sbom.ts";
import { runtimes } from "../../src/app/licenses/runtimes.ts";

const root = join(import.meta.dir, "../..");
const lock = await readLock();
const pack = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
const installed = Object.entries(lock.packages).filter(([path]) => path !== "");

/** Packages that run something when they are installed, and what it does. All work without: `npm ci --ignore-scripts`. */
const knownScripts: Readonly<Record<string, string>> = {
  // Links the binary of the platform's own package; only where npm was told to leave that one out, it downloads it.
  bun: "node install.js",
  // Does nothing: an install script of its own keeps npm from building the sources.
  chdb: 'node -e ""',
  // Compares the version asked for with its own and warns; it downloads nothing.
  protobufjs: "node scripts/postinstall",
};

test("no dependency runs anything at installation but those that are known", () => {
  const running = installed.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameAt(path));
  expect(running.sort()).toEqual(Object.keys(knownScripts).sort());
  for (const [name, script] of Object.entries(knownScripts)) {
    const manifest = JSON.parse(readFileSync(join(root, "node_modules", name, "package.json"), "utf8"));
    const { preinstall, install, postinstall } = manifest.scripts;
    const found = [preinstall, install, postinstall].filter((one) => one !== undefined);
    expect([name, ...found]).toEqual([name, script]);
  }
  const text = readFileSync(join(root, "node_modules/protobufjs/scripts/postinstall.js"), "utf8");
  expect(text).not.toMatch(/https?:|require\("(node:)?(https?|net|child_process)"\)|fetch\(/);
});

test("every dependency is pinned to one version, and the lock file says the same", () => {
  const asked = { ...pack.dependencies, ...pack.devDependencies };
  for (const [name, version] of Object.entries(asked)) {
    expect([name, version]).toEqual([name, expect.stringMatching(/^\d+\.\d+\.\d+(-beta\.\d+)?$/)]);
    expect([name, lock.packages[`node_modules/${name}`]?.version]).toEqual([name, version]);
  }
  const { dependencies, devDependencies } = lock.packages[""]!;
  expect({ ...dependencies, ...devDependencies }).toEqual(asked);
});

test("the engine of tests is there for Linux on x64 alone: for others its place is held by an empty package", () => {
  // Their own packages are not in every registry, and without an entry for each `npm ci` refuses the lock file.
  const engines = installed.filter(([path]) => nameAt(path).startsWith("@chdb/"));
  expect(engines.map(([path, { name, dev, optional }]) => [nameAt(path), name, dev, optional])).toEqual([
    ["@chdb/lib-darwin-arm64", "node-addon-api", true, true],
    ["@chdb/lib-darwin-x64", "node-addon-api", true, true],
    ["@chdb/lib-linux-arm64-gnu", "node-addon-api", true, true],
    ["@chdb/lib-linux-x64-gnu", undefined, true, true],
  ]);
});

test("every package has a checksum and a licence", () => {
  expect(lock.lockfileVersion).toBe(3);
  for (const [path, { integrity, license }] of installed) {
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/)]);
    expect([path, typeof license]).toEqual([path, "string"]);
  }
});

test("the server depends on few packages", () => {
  // One writes Arrow streams, which notebooks read: the library of the format's makers, with a writer of streams.
  // Four of them read PromQL: its grammar, two packages that the grammar runs on, and RE2 in place of backtracking.
  // The build alone reads one, the SPDX list as JSON: licence texts that the packages of the runtimes lack.
  expect(Object.keys(pack.dependencies).length).toBeLessThanOrEqual(23);
});

test("the build finds all that it reads after npm ci --omit=dev", () => {
  const read = ["bun", "bun-types", "onnxruntime-web", "spdx-license-list"];
  for (const name of read)
    expect([name, lock.packages[`node_modules/${name}`]?.dev]).toEqual([name, undefined]);
});

test("npm run sbom prints a bill of materials that names each of them with its checksum", async () => {
  const child = Bun.spawn([process.execPath, join(root, ".ci/sbom.ts")], { stdout: "pipe" });
  const printed = JSON.parse(await new Response(child.stdout).text());
  const inProgram = await listProgramPaths();
  expect(printed).toEqual(makeSbom(lock, inProgram));
  expect(printed).toMatchObject({
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    metadata: { component: { type: "application", name: "torus", version: lock.version } },
  });
  const names = printed.components.map(
    ({ name, version }: { name: string; version: string }) => `${name}@${version}`,
  );
  expect(new Set(names)).toEqual(
    new Set(installed.map(([path, { version }]) => `${nameAt(path)}@${version}`)),
  );
  const required = printed.components.filter(({ scope }: { scope: string }) => scope === "required");
  expect(required).toHaveLength(inProgram.size);
  for (const { hashes } of printed.components) expect(hashes[0].content).toMatch(/^[0-9a-f]{128}$/);
  for (const { path, parts } of runtimes) {
    const holder = printed.components.find(({ name }: { name: string }) => name === nameAt(path));
    expect(holder.components.map(({ name }: { name: string }) => name)).toEqual(
      parts.map(({ name }) => name),
    );
  }
  const refs = new Set(printed.components.map((component: { purl: string }) => component.purl));
  for (const { dependsOn } of printed.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
  const own = printed.dependencies.find(({ ref }: { ref: string }) => ref.startsWith("pkg:npm/torus@"));
  expect(own.dependsOn).toHaveLength(Object.keys({ ...pack.dependencies, ...pack.devDependencies }).length);
});

test("packages of a scope, side by side in two versions, and licences of several", () => {
  const packages = {
    "": { name: "x", version: "1.0.0", dependencies: { "@s/a": "1.0.0", b: "1.0.0" } },
    "node_modules/@s/a": { version: "1.0.0", license: "MIT", dependencies: { b: "^2.0.0", gone: "*" } },
    "node_modules/@s/a/node_modules/b": { version: "2.0.0", license: "(MIT OR Apache-2.0)" },
    "node_modules/b": { version: "1.0.0", license: "MIT", dev: true },
  };
  const inProgram = new Set(["node_modules/@s/a", "node_modules/@s/a/node_modules/b"]);
  const sbom = makeSbom({ name: "x", version: "1.0.0", lockfileVersion: 3, packages }, inProgram);
  expect(sbom.components.map(({ purl, scope }) => [purl, scope])).toEqual([
    ["pkg:npm/%40s/a@1.0.0", "required"],
    ["pkg:npm/b@2.0.0", "required"],
    ["pkg:npm/b@1.0.0", "excluded"],
  ]);
  expect(sbom.components[1]!.licenses).toEqual([{ expression: "(MIT OR Apache-2.0)" }]);
  expect(sbom.dependencies.slice(0, 2)).toEqual([
    { ref: "pkg:npm/x@1.0.0", dependsOn: ["pkg:npm/%40s/a@1.0.0", "pkg:npm/b@1.0.0"] },
    { ref: "pkg:npm/%40s/a@1.0.0", dependsOn: ["pkg:npm/b@2.0.0"] },
  ]);
});
