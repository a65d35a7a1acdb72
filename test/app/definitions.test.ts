// Resources of the settings file: checked without a start, applied at start, unchanged where equal.
import { describe, expect, test } from "bun:test";
import { checkDefined } from "../../src/app/definitions.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { readSettings } from "../../src/settings/load.ts";
import { startTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder();

const feature = "{name: load, metric: avg, field: load}";
const model = (more = "") =>
  `models: [{name: m, type: donut, default_bucket: b, bucket_interval: 5m, features: [${feature}]${more}}]\n`;
const bucket = "buckets: [{name: b, type: local}]\n";

describe("--check-config finds", () => {
  test.each([
    ["a bad bucket", "buckets: [{name: b, type: locl}]", /^buckets\.0\.type: .*local/],
    [
      "a bad model",
      model(", max_threshold: 101"),
      /^models\.0\.max_threshold: must be a number from 0 to 100/,
    ],
    [
      "a metric the bucket lacks",
      `${bucket}${model().replace("avg", "avrg")}`,
      /^models\.0\.features\.0\.metric/,
    ],
    ["a bad hook", model(", hooks: [{name: h, type: webhok}]"), /^models\.0\.hooks\.0\.type: .*webhook/],
    [
      "a program that hooks may not run",
      model(", hooks: [{name: h, type: exec, config: {path: /bin/true}}]"),
      /^models\.0\.hooks\.0\.config\.path/,
    ],
    [
      "a bad global hook",
      "hooks: {global: [{name: h, type: slack, config: {}, selector: {modles: x}}]}",
      /^hooks\.global\.0\.selector\.modles/,
    ],
    ["a template without a name", "templates: [{settings: {}}]", /^templates\.0\.name: is required/],
    ["a template that is none", "templates: [{name: t, settings: {}}]", /^templates\.0\.name: is required/],
  ])("%s", (_name, text, rule) => {
    const check = () => {
      const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
      const readFile = (path: string) => {
        if (path === "f") return text;
        throw missing;
      };
      return checkDefined(readSettings({ env: { HOME: root }, readFile, argv: ["--config", "f"] }).settings);
    };
    expect(check).toThrow(rule);
  });
});

test("a start defines what is new, changes what differs, and keeps the versions of models", async () => {
  const dir = temporaryFolder();
  const start = async (settings: string) => {
    const server = await startTestServer({ settings, dir });
    const { call } = createClient({ baseUrl: server.url, sleep: Bun.sleep });
    const defined = server.lines
      .map((line) => JSON.parse(line))
      .filter(({ msg }) => msg === "defined by the settings");
    return { server, call, defined: defined.map(({ kind, action }) => `${action} ${kind}`) };
  };
  const hook = (url: string) => `, hooks: [{name: h, type: webhook, config: {url: "https://${url}/"}}]`;

  const global = 'hooks: {global: [{name: g, type: webhook, config: {url: "https://c.example/"}}]}\n';
  const first = await start(global + bucket + model(hook("a.example")));
  expect(first.defined).toEqual(["create bucket", "create model", "create hook", "create hook"]);
  expect(await first.call<string[]>("GET /hooks")).toEqual(["g"]);
  const sine = Array.from({ length: 300 }, (_, i) => ({
    timestamp: 1_767_571_200 + i * 300,
    load: 5 * Math.sin(i / 10) + ((i * 7919) % 101) / 101,
  }));
  const client = createClient({ baseUrl: first.server.url, sleep: Bun.sleep });
  await client.waitForJob(await client.write("b", sine));
  const range = { from: 1_767_571_200, to: 1_767_571_200 + 300 * 300, epochs: 1, max_evals: 1 };
  await client.waitForJob(await client.train("m", range));
  await first.server.stop();

  const second = await start(global + bucket + model(hook("a.example")));
  expect(second.defined).toEqual([]);
  await second.server.stop();

  const third = await start(bucket + model(`, max_threshold: 77${hook("b.example")}`));
  expect(third.defined).toEqual(["change model", "change hook"]);
  expect(await third.call<object[]>("GET /models/m")).toMatchObject([
    { settings: { max_threshold: 77 }, state: { trained: true } },
  ]);
  expect(await third.call<object[]>("GET /models/m/versions")).toHaveLength(1);
  await third.server.stop();
}, 180_000);
