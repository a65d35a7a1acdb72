// Resources of the settings file: checked without a start, applied at start, unchanged where equal.
import { describe, expect, test } from "bun:test";
import { checkDefined } from "../../src/app/definitions.ts";
import { createClient } from "../../src/cli/client/client.ts";
import { readSettings } from "../../src/settings/load.ts";
import { startTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = temporaryFolder();

const feature = "{name: load, metric: avg, field: load}";
const aModel = (name = "m", more = "") =>
  `{name: ${name}, type: donut, default_bucket: b, bucket_interval: 5m, features: [${feature}]${more}}`;
const model = (more = "") => `models: [${aModel("m", more)}]\n`;
const aHook = '{name: h, type: webhook, config: {url: "https://a.example/"}}';
const twice = (path: string) => new RegExp(`^${path.replaceAll(".", "\\.")}: is described twice`);
const bucket = "buckets: [{name: b, type: local}]\n";

/** @returns the notes of a check of a settings file */
function checkText(text: string, env: Record<string, string> = {}): string[] {
  const missing = Object.assign(new Error("no such file"), { code: "ENOENT" });
  const readFile = (path: string) => {
    if (path === "f") return text;
    throw missing;
  };
  return checkDefined(
    readSettings({ env: { HOME: root, ...env }, readFile, argv: ["--config", "f"] }).settings,
  );
}

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
    [
      "a bucket that is there twice",
      "buckets: [{name: b, type: local}, {name: b, type: local}]",
      twice("buckets.1"),
    ],
    ["a model that is there twice", `models: [${aModel()}, ${aModel()}]`, twice("models.1")],
    ["a global hook that is there twice", `hooks: {global: [${aHook}, ${aHook}]}`, twice("hooks.global.1")],
    ["a hook that is there twice", model(`, hooks: [${aHook}, ${aHook}]`), twice("models.0.hooks.1")],
    ["a text that is no calendar", "calendars: [{name: c, ical: hello}]", /^calendars\.0\.ical: .*iCalendar/],
    [
      "a calendar at a private address",
      'calendars: [{name: c, url: "http://127.0.0.1/c.ics"}]',
      /^calendars\.0\.url: .*private/,
    ],
  ])("%s", (_name, text, rule) => {
    expect(() => checkText(text)).toThrow(rule);
  });

  test("nothing wrong with two hooks of one name at two models, but notes what only a start can look up", () => {
    const text = `models: [${aModel("m", `, hooks: [${aHook}]`)}, ${aModel("n", `, hooks: [${aHook}]`)}]\n`;
    expect(checkText(text)).toEqual([]);
    const files = "buckets: [{name: b, type: local}, {name: c, type: csv, path: c.csv}]";
    expect(checkText(files)).toEqual(["the file of buckets.1 is looked up by the start"]);
  });
});

test("a variable that is close to one of a setting is named, those of the client and of Kubernetes are not", () => {
  expect(
    checkText("", {
      TORUS_SERVER_LSTEN: "localhost:1",
      TORUS_SERVER_AUTH_REQUIRE: "true",
      TORUS_SERVR_UI: "no",
    }),
  ).toEqual([
    "TORUS_SERVER_LSTEN of the environment is no setting; did you mean TORUS_SERVER_LISTEN?",
    "TORUS_SERVER_AUTH_REQUIRE of the environment is no setting; did you mean TORUS_SERVER_AUTH_REQUIRED?",
    "TORUS_SERVR_UI of the environment is no setting; did you mean TORUS_SERVER_UI?",
  ]);
  const others = [
    ...["TORUS_ADDR", "TORUS_TOKEN", "TORUS_TZ", "TORUS_CONFIG", "TORUS_SERVER_LISTEN"],
    ...["TORUS_PORT", "TORUS_SERVICE_HOST", "TORUS_SERVICE_PORT", "TORUS_SERVICE_PORT_HTTP"],
    ...["TORUS_PORT_8077_TCP", "TORUS_PORT_8077_TCP_ADDR", "TORUS_PORT_8077_TCP_PROTO"],
    ...["TORUS_SERVER_PORT", "TORUS_SERVER_SERVICE_HOST", "TORUS_SERVER_SERVICE_PORT"],
    ...["TORUS_SERVER_PORT_8077_TCP", "TORUS_SERVER_PORT_8077_TCP_PORT", "TORUS_STORAGE_PORT"],
  ];
  expect(checkText("", Object.fromEntries(others.map((name) => [name, "localhost:1"])))).toEqual([]);
});

test("a start that names a calendar nobody has says where, and defines nothing", async () => {
  const dir = temporaryFolder();
  const start = (settings: string) => startTestServer({ settings, dir });
  await expect(start(bucket + model(", known_events: {calendar: sales}"))).rejects.toThrow(
    "models.0.known_events.calendar: there is no calendar sales",
  );
  const server = await start("");
  const { call } = createClient({ baseUrl: server.url, sleep: Bun.sleep });
  expect(await call<object[]>("GET /buckets")).toEqual([]);
  await server.stop();
  const calendar = 'calendars: [{name: sales, ical: "BEGIN:VCALENDAR\\nEND:VCALENDAR\\n"}]\n';
  const both = await start(bucket + calendar + model(", known_events: {calendar: sales}"));
  await both.stop();
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
