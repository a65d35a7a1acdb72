// Settings common to the kinds of Elasticsearch: names of an index that would lead to another path are refused.
import { describe, expect, test } from "bun:test";
import { checkBucket } from "../../../src/buckets/index.ts";

describe.each([
  ["elasticsearch", { addr: "localhost:9200" }],
  ["elasticsearch_aws", { host: "h", region: "r", access_key: "a", secret_key: "s" }],
])("%s", (type, settings) => {
  const check = (index: string) => checkBucket({ name: "b", type, ...settings, index });

  test.each(["points", "metrics-*", ".hidden", "x".repeat(255)])("%j names an index", (index) => {
    expect(() => check(index)).not.toThrow();
  });

  test.each([
    "",
    ".",
    "..",
    "a/_search",
    "a\\b",
    "a?b",
    "a#b",
    "a b",
    'a"b',
    "a<b",
    "a|b",
    "a\nb",
    "x".repeat(256),
  ])("%j names none", (index) => {
    expect(() => check(index)).toThrow("must be the name of an index");
  });
});
