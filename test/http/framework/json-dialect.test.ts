// JSON bodies: long lists are parsed in parts, with the same result; YAML bodies: what they hold, mistakes with place.
import { describe, expect, test } from "bun:test";
import { parseBody } from "../../../src/http/framework/json-dialect.ts";
import { countTurns } from "../../support/turns.ts";

const limits = { bytes: 64 * 1024 * 1024, depth: 8 };

function parse(text: string, most = 8_000_000): Promise<unknown> {
  const values = { most, verb: "has", noun: "values", advice: "send less" };
  return parseBody(new Request("http://x/", { method: "POST", body: text }), { ...limits, values }, () => {});
}

const points = Array.from({ length: 20_000 }, (_, i) => ({
  timestamp: i,
  note: `a,b]}[{"${i}\\`,
  tags: { list: [1, [2, i]] },
}));

test("a long list parses like JSON.parse", async () => {
  for (const indent of [0, 2]) expect(await parse(JSON.stringify(points, null, indent))).toEqual(points);
  const nested = [points, points];
  expect(await parse(JSON.stringify(nested))).toEqual(nested);
  expect(await parse(JSON.stringify({ points }))).toEqual({ points });
});

test("a long list leaves turns to other work", async () => {
  const endCount = countTurns();
  const many = Array.from({ length: 900_000 }, (_, i) => ({ timestamp: i, v: 1 }));
  expect(await parse(JSON.stringify(many))).toHaveLength(many.length);
  expect(endCount()).toBeGreaterThan(5);
});

describe("rejects a long list with a syntax error", () => {
  const entry = `{"v":"${"x".repeat(1000)}"}`;
  const list = Array(1000).fill(entry).join();
  test.each([
    ["no end", `[${list}`],
    ["a comma at the end", `[${list},]`],
    ["two commas", `[${list},,${list}]`],
    ["two lists", `[${list}][${list}]`],
    ["two lists and a comma", `[${list}],[${list}]`],
    ["something behind it", `[${list}] 1`],
    ["a bracket of the other kind", `[${list}}`],
    ["a text without an end", `[${list},"${list}]`],
  ])("%s", async (_, text) => {
    await expect(parse(text)).rejects.toMatchObject({ code: "invalid", details: { path: "body" } });
  });
});

test("more keys than an object may have are refused before they are parsed", async () => {
  const keys = (count: number) => Array.from({ length: count }, (_, i) => `"${i}":[0,0]`).join();
  await expect(parse(`[1,{${keys(20_001)}}]`)).rejects.toThrow("body: has an object of more than 20000 keys");
  expect(Object.keys((await parse(`{${keys(20_000)}}`)) as object)).toHaveLength(20_000);
});

test.each([
  ["empty objects in a list", `[${"{},".repeat(500_000)}{}]`],
  ["empty objects in a list of an object", `{"points":[${"{},".repeat(500_000)}{}]}`],
  ["numbers", `[${"1,".repeat(1_000_001)}1]`],
])("more values than the body may have are refused before they are parsed: %s", async (_, text) => {
  await expect(parse(text, 1_000_000)).rejects.toThrow("body: has more than 1000000 values: send less");
});

describe("YAML", () => {
  const values = { most: 1000, verb: "has", noun: "values", advice: "send less" };
  const parseYaml = (body: string, bytes = 1_000_000) =>
    parseBody(
      new Request("http://x/", { method: "POST", body, headers: { "content-type": "application/yaml" } }),
      { bytes, depth: 8, values },
      () => {},
    );

  test.each([
    [
      "a: 1 # one\nb: [x, 'it''s', 2026-01-01, 012, 1:30]\n",
      { a: 1, b: ["x", "it's", "2026-01-01", 12, "1:30"] },
    ],
    ["a: &x {n: 1}\nb: {<<: *x, m: no}\n", { a: { n: 1 }, b: { n: 1, m: "no" } }],
    ["text: |\n  two\n  lines\n", { text: "two\nlines\n" }],
    ['{"a": [1, 2],\n\t"b": null}', { a: [1, 2], b: null }],
    ["- 1\n- 2\n", [1, 2]],
    ["# nothing\n", null],
    ["", null],
  ])("%j", async (text, value) => expect(await parseYaml(text)).toEqual(value));

  describe("refuses", () => {
    test.each([
      ["name: x\n\ttype: y", "body: is not valid YAML: line 2, column 1: a tab"],
      ["name: {{host}}", "line 1, column 8: a key is a list or an object: quote the text"],
      ["a: *none", "body: is not valid YAML: an alias has no anchor"],
      ["a: 1\n---\nb: 2", "a second document follows"],
      ["limit: .inf", "body: must hold finite numbers: limit is Infinity"],
      ["[limit, .nan]", "body: must hold finite numbers: 1 is NaN"],
      ["__proto__: {a: 1}", "__proto__"],
      ["a: [[[[[[[[[1]]]]]]]]]", "must not be nested deeper than 8 levels"],
      [`a: [${"1,".repeat(1001)}]`, "body: has more than 1000 values"],
    ])("%j", async (text, message) => {
      await expect(parseYaml(text)).rejects.toThrow(message);
      await expect(parseYaml(text)).rejects.toMatchObject({
        code: expect.stringMatching(/^(invalid|too_large)$/),
      });
    });

    test("aliases that multiply", async () => {
      const nine = (name: string) => Array(9).fill(name).join();
      const text = `a: &a [${nine("x")}]\nb: &b [${nine("*a")}]\nc: &c [${nine("*b")}]\nd: [${nine("*c")}]`;
      await expect(parseYaml(text)).rejects.toThrow("too many");
    });

    test("more than settings need, where JSON may be larger", async () => {
      const text = `a: ${"x".repeat(16_384)}`;
      await expect(parseYaml(text)).rejects.toThrow("larger than 16384 bytes (of YAML: send it as JSON)");
      await expect(parseYaml("a: 1234567890", 10)).rejects.toThrow(
        "larger than 10 bytes (server.limits.body_bytes)",
      );
    });
  });
});
