// Scopes of metrics: told apart once several have a metric, over requests and restarts; replaced ones are not.
import { expect, test } from "bun:test";
import type { Bucket } from "../../../../src/buckets/kind.ts";
import type { FieldPage } from "../../../../src/core/series/samples.ts";
import type {
  Attribute,
  Metric,
  MetricKind,
  ScopeTag,
} from "../../../../src/resources/receivers/otlp/metric.ts";
import { toScope } from "../../../../src/resources/receivers/otlp/scope-tags.ts";
import { ScopedMetrics } from "../../../../src/resources/receivers/otlp/scopes.ts";

const [SCOPE, VERSION] = ["otel.scope.name", "otel.scope.version"] as const;

const { signal } = new AbortController();
const shop: readonly Attribute[] = [["service.name", "shop"]];

/** A bucket whose stored fields have tags of their scope. */
function storing(...stored: readonly (readonly [field: string, tag: ScopeTag, value: string])[]): Bucket {
  return {
    explore: async ({ tag }) => {
      const values = [...new Set(stored.flatMap(([, own, value]) => (own === tag ? value : [])))];
      return { measurements: [{ name: null, fields: [], tags: [{ name: tag!, values }] }], truncated: false };
    },
    visitFields: async (_, visit) => {
      const fields = stored.map(([field, tag, value]) => ({ field, tags: { [tag]: value } }));
      await visit({ fields } as unknown as FieldPage);
    },
  } as Partial<Bucket> as Bucket;
}

interface Sent {
  readonly name?: string;
  readonly kind?: MetricKind;
  readonly version?: string;
  readonly differing?: readonly ScopeTag[];
  readonly resource?: readonly Attribute[];
}

/** @returns a function that lists the tags of a metric of a scope */
async function world(bucket = storing()) {
  const scopes = new ScopedMetrics();
  await scopes.load("b", bucket, signal);
  return (scope: string, sent: Sent = {}) => {
    const { name = "m", kind = "gauge", version = "", differing = [], resource = shop } = sent;
    return scopes
      .tell("b", {
        ...{ resource, differing, metric: { name, kind } as Metric },
        scope: toScope(scope, version, { schemaUrl: "", attributes: [] }),
      })
      .map(([tag, value]) => `${tag.replace("otel.scope.", "")}=${value}`);
  };
}

test("a metric that several scopes of a request have is told apart from then on, for all resources", async () => {
  const tell = await world();
  expect(tell("client")).toEqual([]);
  expect(tell("client", { differing: [SCOPE] })).toEqual(["name=client"]);
  expect(tell("client")).toEqual(["name=client"]);
  expect(tell("client", { resource: [["service.name", "till"]] })).toEqual(["name=client"]);
  expect(tell("client", { name: "other" })).toEqual([]);
});

test("scopes that come in turns are told apart; one that takes the place of another is not", async () => {
  const tell = await world();
  expect(["old", "old", "new", "new", "new"].map((scope) => tell(scope))).toEqual(new Array(5).fill([]));
  const name = "turns";
  const tags = [[], [], ["name=a"], ["name=b"]];
  expect(["a", "b", "a", "b"].map((scope) => tell(scope, { name }))).toEqual(tags);
});

test("versions are told apart once a request holds both; an update, and going back, are not", async () => {
  const tell = await world();
  const versions = ["1", "2", "1", "2"];
  expect(versions.map((version) => tell("lib", { version }))).toEqual(new Array(4).fill([]));
  expect(tell("lib", { version: "1", differing: [VERSION] })).toEqual(["version=1"]);
  expect(tell("lib", { version: "2" })).toEqual(["version=2"]);
  expect(tell("other", { version: "2", differing: [SCOPE] })).toEqual(["name=other", "version=2"]);
});

test("scopes of different resources are not in turns", async () => {
  const tell = await world();
  const till: readonly Attribute[] = [["service.name", "till"]];
  for (let i = 0; i < 3; i++) {
    expect(tell("a")).toEqual([]);
    expect(tell("b", { resource: till })).toEqual([]);
  }
});

test("after a restart what is stored with the tag goes on with it", async () => {
  const stored = storing(["m", SCOPE, "client"], ["m", SCOPE, "server"], ["latency_count", VERSION, "1"]);
  const tell = await world(stored);
  expect(tell("client")).toEqual(["name=client"]);
  const latency = { name: "latency", kind: "histogram", version: "2" } as const;
  expect(tell("client", latency)).toEqual(["version=2"]);
  expect(tell("client", { name: "other" })).toEqual([]);
});

test("a name that is refused is not kept", async () => {
  const tell = await world();
  const name = "x".repeat(300);
  expect([tell("a", { name, differing: [SCOPE] }), tell("a", { name })]).toEqual([["name=a"], []]);
});
