// Presets: every row yields a valid model, with valid and distinct names.
import { describe, expect, test } from "bun:test";
import { watch } from "../../../src/cli/commands/watch/watch.ts";
import { presets } from "../../../src/cli/presets/index.ts";
import { planModels, slug } from "../../../src/cli/presets/plan.ts";
import { check } from "../../../src/core/input/schema.ts";
import { ModelSettings } from "../../../src/core/model/model.ts";
import { checkModelRules } from "../../../src/core/model/rules.ts";
import { metricNames } from "../../../src/metrics/index.ts";

const options = { bucket: "metrics", interval: "1m", offset: "1m", prefix: "", isPerHost: () => false };
const perHost = { ...options, isPerHost: () => true };

describe.each(presets.map((preset) => [preset.name, preset] as const))("%s", (_name, preset) => {
  test.each(preset.models.map((row) => [row.name, row] as const))("row %s is a valid model", (_row, row) => {
    const parts = row.per ? ["/", "/var/lib"] : [];
    const more = row.group_by ?? [];
    const models = planModels(preset, [{ row, hosts: ["web-1.example.org:9100"], parts }], options);
    expect(models).toHaveLength(row.per ? 2 : 1);
    for (const { group_by } of models)
      expect(group_by).toEqual(row.query ? undefined : [preset.host_tag, ...more]);
    const ofHosts = planModels(preset, [{ row, hosts: ["a", "b"], parts }], perHost);
    for (const { group_by } of ofHosts) expect(group_by ?? []).toEqual(more);
    expect(ofHosts).toHaveLength(row.query ? 0 : 2 * models.length);
    for (const model of [...models, ...ofHosts]) {
      checkModelRules(check(ModelSettings, { ...model }));
      expect(model).toMatchObject({ silence: row.silence ?? "auto", detector: "auto" });
      if (!row.query) expect(metricNames).toContain(model.features[0]!.metric!);
    }
  });
});

test("the command offers every preset", () => {
  expect(watch.options.preset!.choices).toEqual(presets.map(({ name }) => name));
});

test.each([
  ["web-1.example.org:9100", "web-1_example_org_9100"],
  ["/", "root"],
  ["/var/lib", "var_lib"],
  ["Ünit 7", "nit_7"],
])("%s becomes %s", (text, expected) => expect(slug(text)).toBe(expected));

test("hosts and parts that become the same name have numbers", () => {
  const [preset] = presets;
  const row = preset!.models.find(({ per }) => per)!;
  const found = [{ row, hosts: ["a.b", "a_b"], parts: ["/x"] }];
  const names = planModels(preset!, found, { ...perHost, prefix: "n_" }).map(({ name }) => name);
  expect(names).toEqual([`n_a_b_${row.name}_x`, `n_a_b_${row.name}_x_2`]);
});

test("parts that a host does not have get no model of it", () => {
  const [preset] = presets;
  const row = preset!.models.find(({ per }) => per)!;
  const hasPart = (host: string) => host === "a";
  const found = [{ row, hosts: ["a", "b"], parts: ["/x"], hasPart }];
  expect(planModels(preset!, found, perHost).map(({ name }) => name)).toEqual([`a_${row.name}_x`]);
});
