// Scopes of metrics: told apart once several have a metric, over requests and restarts; replaced ones are not.
import { expect, test } from "bun:test";
import type { Bucket } from "../../../../src/buckets/kind.ts";
import type { FieldPage } from "../../../../src/core/series/samples.ts";
import type { Attribute, Metric, MetricKind } from "../../../../src/resources/receivers/otlp/metric.ts";
import { SCOPE, ScopedMetrics } from "../../../../src/resources/receivers/otlp/scopes.ts";

const { signal } = new AbortController();
const shop: readonly Attribute[] = [["service.name", "shop"]];

/** A bucket whose stored fields have the tag of their scope. */
function storing(...stored: readonly (readonly [field: string, scope: string])[]): Bucket {
  const values = [...new Set(stored.map(([, scope]) => scope))];
  return {
    explore: async () => ({
      measurements: [{ name: null, fields: [], tags: [{ name: SCOPE, values }] }],
      truncated: false,
    }),
    visitFields: async (_, visit) => {
      const fields = stored.map(([field, scope]) => ({ field, tags: { [SCOPE]: scope } }));
      await visit({ fields } as unknown as FieldPage);
    },
  } as Partial<Bucket> as Bucket;
}

interface Sent {
  readonly name?: string;
  readonly kind?: MetricKind;
  readonly isShared?: boolean;
  readonly resource?: readonly Attribute[];
}

async function world(bucket = storing()) {
  const scopes = new ScopedMetrics();
  await scopes.load("b", bucket, signal);
  return (scope: string, { name = "m", kind = "gauge", isShared = false, resource = shop }: Sent = {}) =>
    scopes.tell("b", { resource, scope: { name: scope, isShared }, metric: { name, kind } as Metric });
}

test("a metric that several scopes of a request have is told apart from then on, for all resources", async () => {
  const tell = await world();
  expect(tell("client")).toBe(false);
  expect(tell("client", { isShared: true })).toBe(true);
  expect(tell("client")).toBe(true);
  expect(tell("client", { resource: [["service.name", "till"]] })).toBe(true);
  expect(tell("client", { name: "other" })).toBe(false);
});

test("scopes that come in turns are told apart; one that takes the place of another is not", async () => {
  const tell = await world();
  expect(["old", "old", "new", "new", "new"].map((scope) => tell(scope))).toEqual(new Array(5).fill(false));
  const name = "turns";
  expect(["a", "b", "a", "b"].map((scope) => tell(scope, { name }))).toEqual([false, false, true, true]);
});

test("scopes of different resources are not in turns", async () => {
  const tell = await world();
  const till: readonly Attribute[] = [["service.name", "till"]];
  for (let i = 0; i < 3; i++) {
    expect(tell("a")).toBe(false);
    expect(tell("b", { resource: till })).toBe(false);
  }
});

test("after a restart what is stored with the tag goes on with it", async () => {
  const tell = await world(storing(["m", "client"], ["m", "server"], ["latency_count", "client"]));
  expect(tell("client")).toBe(true);
  expect(tell("client", { name: "latency", kind: "histogram" })).toBe(true);
  expect(tell("client", { name: "other" })).toBe(false);
});

test("a name that is refused is not kept", async () => {
  const tell = await world();
  const name = "x".repeat(300);
  expect([tell("a", { name, isShared: true }), tell("a", { name })]).toEqual([true, false]);
});
