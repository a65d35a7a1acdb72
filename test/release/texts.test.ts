// Texts of the packages: unit, settings, man page, and the arguments of the command.
import { expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renderManPage } from "../../.ci/release/man.ts";
import { manifest } from "../../.ci/release/manifest.ts";
import { renderUnit } from "../../.ci/release/unit.ts";
import { commands } from "../../src/cli/commands/index.ts";
import { readSettings } from "../../src/settings/load.ts";
import { temporaryFolder } from "../support/folder.ts";
import { has, run } from "./sample.ts";

const deploy = join(import.meta.dir, "../../deploy");
const unit = renderUnit(readFileSync(join(deploy, "torus.service"), "utf8"));

test("the unit runs the installed binary as the user of the package, with the settings file", () => {
  expect(unit).toStartWith("[Unit]\n");
  for (const line of ["User=torus", "Group=torus", `Environment=TORUS_CONFIG=${manifest.paths.settings}`])
    expect(unit).toContain(`\n${line}\n`);
  expect(unit).toContain(`\nExecStart=${manifest.paths.binary} serve `);
  expect(unit).not.toMatch(/DynamicUser|\/usr\/local/);
  expect(unit).toContain("\nProtectSystem=strict\n");
});

test("a unit without a line to adapt is refused", () => {
  expect(() => renderUnit("[Unit]\n")).toThrow("deploy/torus.service has no /usr/local/bin/torus");
});

test.skipIf(!has("systemd-analyze"))("systemd accepts the unit", async () => {
  const path = join(temporaryFolder(), "torus.service");
  writeFileSync(
    path,
    unit.replaceAll(manifest.paths.binary, process.execPath).replaceAll("=torus\n", "=root\n"),
  );
  const { output } = await run("systemd-analyze", "--man=no", "verify", path);
  expect(output.split("\n").filter((line) => line.includes("torus.service:"))).toEqual([]);
});

test("the server accepts the settings file", () => {
  const { action } = readSettings({
    argv: ["--config", join(deploy, "torus.yml"), "--check-config"],
    env: { HOME: "/nonexistent" },
    readFile: (path) => readFileSync(path, "utf8"),
  });
  expect(action).toBe("check");
});

test("the man page has every command and option of the help, and no line that roff would not read", () => {
  const page = renderManPage("2026-01-31");
  const plain = page.replaceAll("\\-", "-");
  for (const { name, options, isHidden } of commands) {
    expect([name, plain.includes(`\n.SS ${name}`)]).toEqual([name, !isHidden]);
    if (!isHidden) for (const option of Object.keys(options)) expect(plain).toContain(`--${option}`);
  }
  const known = /^\.(TH|SH|SS|TP|B)\b/;
  for (const line of page.split("\n")) if (/^[.']/.test(line)) expect(line).toMatch(known);
});

test.skipIf(!has("man"))("man formats the page without a warning", async () => {
  const path = join(temporaryFolder(), "torus.1");
  writeFileSync(path, renderManPage("2026-01-31"));
  const { output } = await run("sh", "-c", `MANROFFSEQ= man --warnings -l "${path}" 2>&1 >/dev/null`);
  expect(output).toBe("");
});

test.each([
  ["--only", "snap", "there is no snap: deb, rpm, image"],
  ["--arch", "sparc", "there is no sparc: amd64, arm64"],
])("npm run release %s %s is refused with those there are", async (option, value, reason) => {
  const command = join(import.meta.dir, "../../.ci/release.ts");
  const { exitCode, output } = await run(
    process.execPath,
    command,
    option,
    value,
    "--out",
    temporaryFolder(),
  );
  expect([exitCode, output]).toEqual([1, expect.stringContaining(reason)]);
});

test("a folder that holds something is refused and kept", async () => {
  const folder = temporaryFolder();
  const kept = join(folder, "kept");
  writeFileSync(kept, "");
  const command = join(import.meta.dir, "../../.ci/release.ts");
  const { exitCode, output } = await run(process.execPath, command, "--out", folder);
  expect([exitCode, output]).toEqual([1, expect.stringContaining("--out must be an empty folder")]);
  expect(existsSync(kept)).toBe(true);
});
