// List of kinds: complete, with the schemas that check requests.
import { expect, test } from "bun:test";
import { bucketKinds } from "../../src/buckets/index.ts";
import { hookKinds } from "../../src/hooks/index.ts";
import { metrics } from "../../src/metrics/index.ts";
import { listKinds } from "../../src/resources/kinds.ts";

type Schema = Record<string, Record<string, Record<string, unknown>>>;

test("every kind of the registries, with its settings", () => {
  const { buckets, hooks, models, metrics: reducers } = listKinds();
  expect(buckets.map(({ type }) => type)).toEqual(Object.keys(bucketKinds));
  expect(hooks.map(({ type }) => type)).toEqual(Object.keys(hookKinds));
  expect(models.map(({ type }) => type)).toEqual(["donut"]);
  expect(reducers.map(({ name }) => name)).toEqual(metrics.map(({ name }) => name));
  for (const { settings } of [...buckets, ...hooks, ...models])
    expect(settings).toMatchObject({ type: "object", additionalProperties: false });
});

test("secrets are marked, wherever the kind has them", () => {
  const { buckets, hooks } = listKinds();
  const settingsOf = (kinds: readonly { type: string; settings: object }[], type: string) =>
    kinds.find((kind) => kind.type === type)!.settings as Schema;
  for (const [type, { secrets }] of Object.entries(bucketKinds)) {
    const { properties } = settingsOf(buckets, type);
    for (const key of secrets) expect([type, key, properties![key]!.writeOnly]).toEqual([type, key, true]);
  }
  for (const [type, { secrets }] of Object.entries(hookKinds)) {
    const config = settingsOf(hooks, type).properties!.config!.properties as Schema[string];
    for (const key of secrets) expect([type, key, config[key]!.writeOnly]).toEqual([type, key, true]);
  }
});
