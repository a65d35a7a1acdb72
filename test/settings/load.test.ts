// Server settings: precedence of file, environment and flags, and errors of invalid values.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the settings file has such variables
import { describe, expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import { readSettings, type ServerSettings } from "../../src/settings/load.ts";

interface Given {
  readonly argv?: string[];
  readonly env?: Record<string, string>;
  readonly file?: string;
  readonly isTty?: boolean;
}

function read({ argv = [], env = {}, file, isTty }: Given) {
  const args = file === undefined ? argv : ["--config", "torus.yml", ...argv];
  return readSettings({
    argv: args,
    ...(isTty !== undefined && { isTty }),
    env: { HOME: "/ada", ...env },
    readFile: (path) => {
      if (path !== "torus.yml" || file === undefined)
        throw Object.assign(new Error("no such file"), { code: "ENOENT" });
      return file;
    },
  });
}

function settingsOf(given: Given): ServerSettings {
  return read(given).settings;
}

test("the external address loses its last slash, and is absent where none is set", () => {
  const env = { TORUS_SERVER_EXTERNAL_URL: "https://torus.example.org/a/" };
  expect(settingsOf({ env }).externalUrl).toBe("https://torus.example.org/a");
  expect(settingsOf({})).not.toHaveProperty("externalUrl");
});

function refusal(given: Given): TorusError {
  try {
    read(given);
  } catch (error) {
    if (error instanceof TorusError) return error;
    throw error;
  }
  throw new Error("was accepted");
}

test("defaults", () => {
  expect(settingsOf({})).toEqual({
    listen: { host: "localhost", port: 8077 },
    workers: "auto",
    timezone: "UTC",
    ui: true,
    judgementLinks: true,
    jobs: {
      ttlMs: 604_800_000,
      maxWaiting: 1000,
      maxFinished: 10_000,
      resultBytes: 67_108_864,
      resultsBytes: 268_435_456,
    },
    historyMs: 7_776_000_000,
    binMs: 604_800_000,
    sourceGraceMs: 300_000,
    versionsKept: 30,
    bucketSeries: 1_000_000,
    headPoints: 2_000_000,
    limits: {
      bodyBytes: 16_777_216,
      writeBytes: 67_108_864,
      bodyDepth: 64,
      bodiesInFlightBytes: 268_435_456,
      deadlineMs: 600_000,
      idleMs: 30_000,
      stopMs: 10_000,
    },
    live: true,
    hooks: { allowPrivate: false, programs: [] },
    security: {
      auth: { required: false, tokens: [], insecure: false },
      allowedHosts: [],
      hstsSeconds: 86_400,
      cors: [],
      proxies: [],
      sealing: {},
      exposedFiles: [],
    },
    dataDir: "/ada/.local/share/torus",
    training: { steps: 2000, batchSize: 64 },
    inference: { samples: 16, iterations: 10 },
    logLevel: "info",
    logFormat: "json",
    clusterName: "torus",
    nodeName: "torus",
    cluster: { leaseMs: 5000, work: ["live", "jobs"] },
    settingsHash: expect.stringMatching(/^[0-9a-f]{12}$/),
    defined: [],
    scheduledJobs: [],
    ignored: [],
    misspelt: [],
  });
});

test.each<[Given, number]>([
  [{}, 1000],
  [{ env: { TORUS_STORAGE_URL: "postgres://u@h/d", TORUS_KEY: "A".repeat(43) } }, 100_000],
  [
    {
      file: "storage.url: postgres://u@h/d\nserver.limits.jobs_max_waiting: 5",
      env: { TORUS_KEY: "A".repeat(43) },
    },
    5,
  ],
])("%j lets %d jobs wait", (given, most) => expect(settingsOf(given).jobs.maxWaiting).toBe(most));

test.each<[string, string]>([
  ["cluster.lease: 1s", "cluster.lease: must be from 2s to 60s"],
  ["cluster.work: [lives]", "cluster.work.0: must be live or jobs"],
])("%s is refused", (file, message) => expect(refusal({ file }).message).toBe(message));

test.each<[Given, string]>([
  [{ isTty: true }, "text"],
  [{ isTty: false }, "json"],
  [{ isTty: true, file: "log.format: json" }, "json"],
  [{ isTty: true, env: { TORUS_LOG_FORMAT: "json" } }, "json"],
  [{ isTty: true, argv: ["--log-format", "json"] }, "json"],
  [{ argv: ["--log-format", "text"] }, "text"],
])("the log of %j is %s", (given, format) => expect(settingsOf(given).logFormat).toBe(format as "text"));

test("the file is overridden by the environment, the environment by flags", () => {
  const file = "server: {listen: 'localhost:1', workers: 1, timezone: Europe/Paris}";
  const env = { TORUS_SERVER_LISTEN: "localhost:2", TORUS_SERVER_WORKERS: "2" };
  const settings = settingsOf({ file, env, argv: ["--workers=3"] });
  expect(settings.listen.port).toBe(2);
  expect(settings.workers).toBe(3);
  expect(settings.timezone).toBe("Europe/Paris");
});

describe("where a value may come from", () => {
  const cases: [string, Given, (settings: ServerSettings) => unknown, unknown][] = [
    [
      "flattened keys",
      { file: "storage.path: /data\nserver.limits.deadline: 30s" },
      (s) => s.dataDir,
      "/data",
    ],
    [
      "flattened in a section",
      { file: "server:\n  limits.deadline: 30s" },
      (s) => s.limits.deadlineMs,
      30_000,
    ],
    [
      "variable in a value",
      { file: "storage: {path: '${D}/x'}", env: { D: "/data" } },
      (s) => s.dataDir,
      "/data/x",
    ],
    ["variable as a number", { file: "server: {workers: '${N}'}", env: { N: "3" } }, (s) => s.workers, 3],
    ["escaped variable", { file: "storage: {path: '/a/$${N}'}" }, (s) => s.dataDir, "/a/${N}"],
    [
      "variable in a bucket",
      { file: "buckets: [{name: b, password: '${P}'}]", env: { P: "p" } },
      (s) => s.defined,
      [{ path: "buckets.0", resource: { kind: "bucket", settings: { name: "b", password: "p" } } }],
    ],
    [
      "legacy name of buckets",
      { file: "datasources:\n - {name: b}" },
      (s) => s.defined,
      [{ path: "buckets.0", resource: { kind: "bucket", settings: { name: "b" } } }],
    ],
    [
      "models with hooks, and templates",
      { file: "templates: [{name: t, settings: {}}]\nmodels: [{name: m, hooks: [{name: h}]}]" },
      (s) => s.defined.map(({ path, resource }) => `${path} ${resource.kind}`),
      ["templates.0 template", "models.0 model", "models.0.hooks.0 hook"],
    ],
    ["empty sections and file", { file: "training:\nbuckets:\n# nothing" }, (s) => s.training.steps, 2000],
    ["empty file", { file: "" }, (s) => s.listen.port, 8077],
    ["words for booleans", { file: "debug: yes" }, (s) => s.logLevel, "debug"],
    [
      "anchors",
      { file: "training: {epochs: &n 5}\ninference: {iterations: *n}" },
      (s) => s.inference.iterations,
      5,
    ],
    ["IPv6", { argv: ["--listen", "[::1]:0"] }, (s) => s.listen, { host: "::1", port: 0 }],
    [
      "public, said aloud",
      { argv: ["--listen", "0.0.0.0:80", "--insecure"] },
      (s) => s.listen.host,
      "0.0.0.0",
    ],
    ["every address", { argv: ["--listen", ":80", "--insecure"] }, (s) => s.listen.host, "0.0.0.0"],
    ["the word serve", { argv: ["serve", "--data-dir", "/d"] }, (s) => s.dataDir, "/d"],
    ["data directory at home", { argv: ["--data-dir=~/t"] }, (s) => s.dataDir, "/ada/t"],
    ["XDG", { env: { XDG_DATA_HOME: "/xdg" } }, (s) => s.dataDir, "/xdg/torus"],
    ["log level", { argv: ["--log-level", "warn"] }, (s) => s.logLevel, "warn"],
  ];
  test.each(cases)("%s", (_name, given, pick, expected) => {
    expect(pick(settingsOf(given))).toEqual(expected as never);
  });
});

test("a file of the predecessor starts unchanged and says what does nothing", () => {
  const settings = settingsOf({
    file: [
      "buckets:",
      "  - {name: influx, type: influxdb, addr: localhost, database: mydatabase}",
      "storage: {path: /var/lib/loudml}",
      "server: {listen: localhost:8077, workers: 2, maxtasksperchild: 100, jobs_max_ttl: 60}",
      "training: {num_cpus: 1, num_gpus: 0, nice: 5, batch_size: 64, epochs: 100}",
      "inference: {num_cpus: 1, num_gpus: 0}",
      "metrics: {enable: true}",
      "scheduled_jobs: []",
    ].join("\n"),
  });
  expect(settings.jobs.ttlMs).toBe(60_000);
  expect(settings.training.epochs).toBe(100);
  expect(settings.ignored).toContain("server.maxtasksperchild");
  expect(settings.ignored).toContain("metrics");
});

describe("rejects", () => {
  const cases: [string, Given, string, string][] = [
    ["a slip in a key", { file: "server: {lisen: 'localhost:1'}" }, "server.lisen", "did you mean listen?"],
    ["a slip in a section", { file: "storag: {path: /x}" }, "storag", "did you mean storage?"],
    ["a slip in an empty section", { file: "servr: {}" }, "servr", "did you mean server?"],
    ["a slip in a section of comments", { file: "servr:\n  # listen: x" }, "servr", "did you mean server?"],
    ["a slip in an empty key", { file: "server: {lisen: }" }, "server.lisen", "did you mean listen?"],
    ["authentication that is not there", { file: "auth: {tokens: []}" }, "auth", "is unknown"],
    ["a word for a number", { file: "server: {workers: many}" }, "server.workers", "whole number"],
    ["a fraction", { file: "training: {epochs: 1.5}" }, "training.epochs", "whole number"],
    ["a bad variable", { env: { TORUS_SERVER_WORKERS: "many" } }, "TORUS_SERVER_WORKERS", "whole number"],
    ["a bad flag value", { argv: ["--workers", "0"] }, "--workers", "whole number"],
    ["an unknown flag", { argv: ["--lisen", "x:1"] }, "--lisen", "did you mean --listen?"],
    ["a flag without its value", { argv: ["--listen", "--insecure"] }, "--listen", "needs a value"],
    ["a switch with a value", { argv: ["--insecure=1"] }, "--insecure", "takes no value"],
    ["a stray word", { argv: ["start"] }, "start", "too many"],
    ["a missing file", { argv: ["--config", "none.yml"] }, "none.yml", "does not exist"],
    ["broken YAML", { file: "server: {listen: 'x" }, "torus.yml:", "not valid YAML"],
    ["a key given twice", { file: "storage.path: /a\nstorage: {path: /b}" }, "storage.path", "given twice"],
    ["a list for settings", { file: "- a" }, "torus.yml", "settings by name"],
    ["a value for a section", { file: "server: 5" }, "server", "object"],
    ["buckets by name", { file: "buckets: {a: {type: local}}" }, "buckets", "list of bucket settings"],
    ["an unset variable", { file: "storage: {path: '${NOPE}'}" }, "storage.path", "NOPE is not set"],
    ["a prototype", { file: "__proto__.listen: x" }, "__proto__.listen", "not a setting"],
    ["a port too high", { argv: ["--listen", "localhost:70000"] }, "server.listen", "65535"],
    ["no port", { argv: ["--listen", "localhost"] }, "--listen", "host:port"],
    [
      "an external address with a query",
      { file: "server: {external_url: 'https://a.example/?x=1'}" },
      "server.external_url",
      "https://torus.example.org",
    ],
    ["an unknown time zone", { file: "server: {timezone: Mars/Base}" }, "server.timezone", "IANA"],
    [
      "an idle time the server cannot keep",
      { file: "server.limits.idle: 10m" },
      "server.limits.idle",
      "255s",
    ],
    ["no versions kept", { file: "server: {versions_kept: 0}" }, "server.versions_kept", "from 1 to"],
    ["a bad duration", { file: "server: {jobs_max_ttl: soon}" }, "server.jobs_max_ttl", "duration"],
    ["work of a model", { file: "models: [{name: m, live: true}]" }, "models.0.live", "torus apply"],
    ["a hook that is none", { file: "models: [{name: m, hooks: [1]}]" }, "models.0.hooks.0", "by name"],
    ["no home", { env: { HOME: "" } }, "storage.path", "--data-dir"],
    [
      "an address that the database's driver cannot read",
      { file: "storage.url: postgres://u@h:54x/d", env: { TORUS_KEY: "0".repeat(64) } },
      "storage.url",
      "check host and port",
    ],
  ];
  test.each(cases)("%s", (_name, given, path, rule) => {
    const error = refusal(given);
    expect(error.code).toBe("invalid");
    expect(error.message).toContain(rule);
    expect(error.details.path ?? "").toStartWith(path);
  });

  test("without the value, which may be a secret", () => {
    const { message } = refusal({ file: "server: {workers: '${S}'}", env: { S: "hunter2" } });
    expect(message).not.toContain("hunter2");
  });
});

test("--check-config checks, anything else serves", () => {
  expect(read({ argv: ["--check-config"] }).action).toBe("check");
  expect(read({ argv: ["serve"] }).action).toBe("serve");
});
