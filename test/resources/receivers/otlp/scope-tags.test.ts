// Tags in which scopes with a metric of the same name differ: as few as tell them apart, in both encodings.
import { describe, expect, test } from "bun:test";
import { toScope } from "../../../../src/resources/receivers/otlp/scope-tags.ts";
import { attributesOf, type Encoding } from "../../../support/otlp.ts";
import { readOtlp } from "./support.ts";

const encodings: readonly Encoding[] = ["protobuf", "json"];

interface Sent {
  readonly name?: string;
  readonly version?: string;
  readonly schemaUrl?: string;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Tags by which the metric `m` of each scope is told apart. */
async function differing(encoding: Encoding, ...sent: readonly Sent[]) {
  const scopeMetrics = sent.map(({ schemaUrl = "", attributes = {}, ...scope }) => ({
    ...{ schemaUrl, metrics: [{ name: "m" }] },
    scope: { ...scope, attributes: attributesOf(attributes) },
  }));
  const found = await readOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] });
  expect(new Set(found.map((one) => one.differing.join())).size).toBeLessThan(2);
  return found[0]!.differing.map((tag) => tag.replace("otel.scope.", "")).join();
}

describe.each(encodings)("%s", (encoding) => {
  test.each<[string, string, ...Sent[]]>([
    ["one alone", "", { name: "a" }],
    [
      "one in two parts",
      "",
      { name: "a", attributes: { x: 1, y: 2 } },
      { name: "a", attributes: { y: 2, x: 1 } },
    ],
    ["names, and versions with them", "name", { name: "a", version: "1" }, { name: "b", version: "2" }],
    ["a scope without a name", "name", { name: "a" }, {}],
    ["versions", "version", { name: "a", version: "1" }, { name: "a", version: "2" }],
    ["a version and none", "version", { name: "a", version: "1" }, { name: "a" }],
    [
      "versions of one of two names",
      "name,version",
      { name: "a", version: "1" },
      { name: "a" },
      { name: "b" },
    ],
    ["schemas", "schema_url", { name: "a", schemaUrl: "u:1" }, { name: "a", schemaUrl: "u:2" }],
    ["attributes", "attributes", { attributes: { x: 1 } }, { attributes: { x: 2 } }],
    ["nested attributes", "attributes", { attributes: { x: { y: [1] } } }, { attributes: { x: { y: [2] } } }],
  ])("%s", async (_, expected, ...scopes) => {
    expect(await differing(encoding, ...scopes)).toBe(expected);
  });

  test("scopes with a metric of their own have none", async () => {
    const scopeMetrics = ["a", "b"].map((name) => ({ scope: { name }, metrics: [{ name: `${name}.m` }] }));
    const found = await readOtlp(encoding, { resourceMetrics: [{ scopeMetrics }] });
    expect(found.map((one) => one.differing)).toEqual([[], []]);
  });
});

test("attributes that are too long for a tag are cut, and stay different", () => {
  const of = (end: string) =>
    toScope("", "", { schemaUrl: "", attributes: [["x", "y".repeat(5000) + end]] })["otel.scope.attributes"];
  expect(of("a")).not.toBe(of("b"));
  expect(of("a").length).toBeLessThan(1100);
});
