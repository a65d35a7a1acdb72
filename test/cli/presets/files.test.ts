// Preset files: those in the program, those of users by path and by folder, and their errors.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { stringify } from "yaml";
import { checkPreset } from "../../../src/cli/presets/check.ts";
import { presets } from "../../../src/cli/presets/index.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { run } from "../fake-terminal.ts";

const files = resolve(import.meta.dir, "../../../src/cli/presets/files");
const model = { name: "flow", field: "flow_litres", metric: "avg", anomaly_type: "low" };
const pumps = { name: "pumps", title: "Pumps", host_tag: "pump", models: [model] };

test("every file is in the program, under its name, and valid", () => {
  const names = readdirSync(files).map((file) => file.replace(".yml", ""));
  expect(presets.map(({ name }) => name).sort()).toEqual(names.sort());
  for (const preset of presets) expect(checkPreset(preset)).toEqual(preset);
});

describe("refused", () => {
  const withModel = (change: object) => ({ ...pumps, models: [{ ...model, ...change }] });
  test.each([
    [{ ...pumps, modles: [] }, "modles is unknown"],
    [{ ...pumps, models: [] }, "models: must be a list of 1 to 64 models {name, field, metric}"],
    [withModel({ metric: undefined }), "models.0.metric: is required without query"],
    [withModel({ query: "sum(x)" }), "models.0.metric: must be absent beside query, which says what is read"],
    [withModel({ query: "sum(x)", metric: undefined }), "bucket_type: is required, as a model has a query"],
    [withModel({ min: 5, max: 1 }), "models.0: features.0.min: must be below max (1)"],
    [withModel({ per: { tag: "a", skip: "b" } }), "models.0.per.skip: must be a list of at most 64 texts"],
    [withModel({ group_by: ["pump"] }), "models.0: group_by: must be a list of 1 to 8 different names"],
    [{ ...pumps, models: [model, model] }, "models.1.name: must be unique"],
  ])("%j", async (preset, message) => {
    const file = join(temporaryFolder(), "pumps.yml");
    writeFileSync(file, stringify(preset));
    const { code, err } = await run(`watch metrics --preset ${file}`);
    expect(err).toStartWith(`torus: ${file}: ${message}`);
    expect(code).toBe(2);
  });

  test("an unknown name, with the closest", async () => {
    const { code, err } = await run("watch metrics --preset telegraff");
    expect(err).toMatch(
      /^torus: --preset: must be the path of a file, or one of .*; did you mean telegraf\?/,
    );
    expect(code).toBe(2);
  });
});

describe("a folder", () => {
  const folder = temporaryFolder();
  const write = (name: string, preset: object) => writeFileSync(join(folder, name), JSON.stringify(preset));
  write("pumps.json", pumps);
  write("mine.yml", { ...pumps, name: "telegraf" });
  writeFileSync(join(folder, "README.md"), "no preset");

  test("adds its presets, and replaces those of the same name", async () => {
    const { out } = await run(`list-presets --presets ${folder}`);
    expect(out).toMatch(/^NAME +WATCHES +MODELS +FILE$/m);
    expect(out).toMatch(/^pumps +Pumps +flow +\S+pumps\.json$/m);
    expect(out).toMatch(/^telegraf +Pumps +flow +\S+mine\.yml$/m);
    const listed = await run("list-presets --quiet", { env: { TORUS_PRESETS: folder } });
    expect(listed.out.trim().split("\n")).toContain("pumps");
    expect((await run("list-presets --quiet")).out).not.toContain("pumps");
  });

  test("is refused where two files have a name, and where it cannot be read", async () => {
    const twice = join(folder, "twice");
    mkdirSync(twice);
    for (const file of ["a.yml", "b.yml"]) writeFileSync(join(twice, file), stringify(pumps));
    const { code, err } = await run(`list-presets --presets ${twice}`);
    expect(err).toBe(`torus: ${twice}/b.yml: name: must be unique, ${twice}/a.yml has it\n`);
    expect(code).toBe(2);
    const none = await run(`list-presets --presets ${folder}/none`);
    expect(none.err).toBe(`torus: ${folder}/none: must be a folder that can be read\n`);
  });
});
