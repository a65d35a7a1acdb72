// The HTTP application over fakes that record their calls, and a table runner for its requests.
import { expect } from "bun:test";
import { everybody } from "../../src/core/access/token.ts";
import { TorusError } from "../../src/core/errors.ts";
import { type App, createApp } from "../../src/http/app.ts";
import type { AppDeps } from "../../src/http/framework/deps.ts";
import { createLog } from "../../src/telemetry/log.ts";

export const JOB_ID = "0b5f6c1e-8f0a-4f7e-9a61-2f6f3f1f0c11";

export interface FakeApp extends App {
  /** `name(arguments as JSON)` of every call of a resource. */
  readonly calls: string[];
  readonly logged: string[];
  readonly held: Request[];
}

/** Overrides take the place of the fake's methods, as in `{ models: { list: () => { throw ... } } }`. */
export interface Overrides {
  readonly buckets?: Partial<AppDeps["buckets"]>;
  readonly models?: Partial<AppDeps["models"]>;
  readonly backtests?: Partial<AppDeps["backtests"]>;
  readonly detections?: Partial<AppDeps["detections"]>;
  readonly modelTransfer?: Partial<AppDeps["modelTransfer"]>;
  readonly jobs?: Partial<AppDeps["jobs"]>;
  readonly templates?: Partial<AppDeps["templates"]>;
  readonly apply?: Partial<AppDeps["apply"]>;
  readonly scheduledJobs?: Partial<AppDeps["scheduledJobs"]>;
  readonly hooks?: Partial<AppDeps["hooks"]>;
  readonly lines?: Partial<AppDeps["lines"]>;
  readonly live?: Partial<AppDeps["live"]>;
  readonly anomalies?: Partial<AppDeps["anomalies"]>;
  readonly tokens?: Partial<AppDeps["tokens"]>;
  /** Default: everybody may do everything. */
  readonly auth?: AppDeps["auth"];
  /** Default: every name is answered. */
  readonly hosts?: AppDeps["hosts"];
  readonly cors?: AppDeps["cors"];
  readonly tls?: boolean;
  readonly limits?: Partial<AppDeps["limits"]>;
  readonly backup?: Partial<AppDeps["backup"]>;
  readonly health?: Partial<AppDeps["health"]>;
  readonly meter?: Partial<AppDeps["meter"]>;
}

/** An application whose buckets, models and jobs are called `a`, `b` and `c` (jobs: any UUID). */
export function createFakeApp(overrides: Overrides = {}): FakeApp {
  const calls: string[] = [];
  const logged: string[] = [];
  const held: Request[] = [];
  const app = createApp({
    buckets: record(calls, "buckets", { ...fakeBuckets, ...overrides.buckets }),
    models: record(calls, "models", { ...fakeModels, ...overrides.models }),
    backtests: record(calls, "backtests", { ...fakeBacktests, ...overrides.backtests }),
    detections: record(calls, "detections", { ...fakeDetections, ...overrides.detections }),
    modelTransfer: record(calls, "modelTransfer", { ...fakeModelTransfer, ...overrides.modelTransfer }),
    jobs: record(calls, "jobs", { ...fakeJobs, ...overrides.jobs }),
    apply: record(calls, "apply", { ...fakeApply, ...overrides.apply }),
    templates: record(calls, "templates", { ...fakeTemplates, ...overrides.templates }),
    scheduledJobs: record(calls, "scheduledJobs", { ...fakeScheduledJobs, ...overrides.scheduledJobs }),
    hooks: record(calls, "hooks", { ...fakeHooks, ...overrides.hooks }),
    globalHooks: record(calls, "globalHooks", fakeGlobalHooks),
    lines: record(calls, "lines", { ...fakeLines, ...overrides.lines }),
    live: record(calls, "live", { ...fakeLive, ...overrides.live }),
    anomalies: record(calls, "anomalies", { ...fakeAnomalies, ...overrides.anomalies }),
    tokens: record(calls, "tokens", { ...fakeTokens, ...overrides.tokens }),
    auth: overrides.auth ?? { identify: () => everybody },
    hosts: overrides.hosts ?? { check: () => {} },
    cors: overrides.cors ?? [],
    tls: overrides.tls ?? false,
    hstsSeconds: 86_400,
    node: {
      hostId: "h1",
      name: "n1",
      clusterName: "c1",
      version: "2.0.0",
      address: () => ({ host: "localhost", port: 8077 }),
    },
    limits: {
      bodyBytes: 1000,
      writeBytes: 2000,
      bodyDepth: 10,
      bodiesInFlightBytes: 10_000,
      deadlineMs: 5000,
      ...overrides.limits,
    },
    log: createLog({ level: "debug", write: (line) => logged.push(line), now: () => 0 }),
    holdOpen: (request) => held.push(request),
    backup: { open: async () => ({ size: 3, stream: new Blob(["tar"]).stream() }), ...overrides.backup },
    health: {
      check: async () => ({
        ready: true,
        checks: { storage: fine, live: fine, workers: fine, connections: fine },
      }),
      ...overrides.health,
    },
    meter: { onAnswer: () => {}, render: async () => "", contentType: "text/plain", ...overrides.meter },
  });
  return { ...app, calls, logged, held };
}

const fine = { ok: true };
const known = (names: readonly string[]) => {
  for (const name of names)
    if (!["a", "b", "c", JOB_ID].includes(name)) throw new TorusError("not_found", `${name} does not exist`);
  return names.map((name) => ({ name }));
};

const fakeBuckets: AppDeps["buckets"] = {
  list: async () => [{ name: "a" }, { name: "b" }],
  get: async (names) => known(names),
  put: async () => {},
  patch: async (names) => void known(names),
  remove: async (names) => void known(names),
  write: async (name) => known([name]) && JOB_ID,
  read: async (name) => known([name]) && JOB_ID,
  clear: async (name) => void known([name]),
  test: async (name) => known([name]) && { ok: true },
  explore: async (name) => known([name]) && { measurements: [], truncated: false },
};

const fakeModels: AppDeps["models"] = {
  list: async () => [{ settings: { name: "a" } }],
  get: async (names) => known(names),
  create: async () => {},
  patch: async (names) => void known(names),
  remove: async (names) => void known(names),
  trainAll: async (names) => known(names).map(() => JOB_ID),
  training: async (name) => known([name])[0] as never,
  versions: async (name) => known([name]),
  version: async (name, version) => ({ ...known([name])[0], version }) as never,
  restore: async (name) => void known([name]),
  forecast: async (name) => known([name]) && { jobId: JOB_ID },
  evaluate: async (name) => known([name]) && { jobId: JOB_ID },
};

const fakeBacktests: AppDeps["backtests"] = {
  submit: async (name) => known([name]) && { jobId: JOB_ID },
};

const fakeDetections: AppDeps["detections"] = {
  detect: async (_, { background }) =>
    background ? { jobId: JOB_ID } : { answer: { period: 0, missing: 0 } as never },
  predict: async (_, { background }) =>
    background ? { jobId: JOB_ID } : { answer: { period: 0, missing: 0 } as never },
};

const fakeModelTransfer: AppDeps["modelTransfer"] = {
  exportNetwork: async (name) =>
    known([name]) && { name: `${name}-00-f.onnx`, bytes: new Uint8Array([8, 8]) },
  exportBundle: async (name) => known([name]) && ({ format: "torus-model" } as never),
  importBundle: async () => {},
};

const fakeJobs: AppDeps["jobs"] = {
  list: async () => [{ id: JOB_ID }],
  get: async (ids) => known(ids).map(({ name }) => ({ id: name })),
  cancel: async (ids) => void known(ids),
  wait: async () => ({ timestamps: [0], observed: { f: [Number.NaN] }, predicted: {} }),
};

const fakeTemplates: AppDeps["templates"] = {
  list: async () => [{ name: "a" }],
  get: async (names) => known(names),
  create: async () => {},
  remove: async (names) => void known(names),
  fill: async (name, params) => ({ ...known([name])[0], ...(params as object) }),
};

const fakeApply: AppDeps["apply"] = {
  apply: async (_input, { set, dryRun = false }) => ({ set, dry_run: dryRun, changes: [] }),
};

const fakeScheduledJobs: AppDeps["scheduledJobs"] = {
  list: async () => [{ name: "a" }],
  get: async (names) => names.map((name) => ({ name })),
  put: async () => {},
  patch: async () => {},
  remove: async () => {},
  clear: async () => {},
};

const fakeHooks: AppDeps["hooks"] = {
  test: async (model) => void known([model]),
  deliveries: async (model) => known([model]),
  list: async (model) => known([model]).map(() => "h"),
  get: async (_model, name) => ({ name, type: "mail", config: {} }),
  put: async (model) => void known([model]),
  replace: async (model) => void known([model]),
  remove: async (_model, name) => void known([name]),
};

const fakeGlobalHooks: AppDeps["globalHooks"] = {
  test: async (name) => void known([name]),
  deliveries: async (name) => known([name]),
  list: async () => ["h"],
  get: async (name) => ({ name, type: "mail", selector: {}, config: {} }),
  put: async (_body, name = "h") => void known([name]),
  remove: async (name) => void known([name]),
};

const fakeLines: AppDeps["lines"] = { write: async ({ bucket }) => void known([bucket]) };

const fakeLive: AppDeps["live"] = {
  startAll: async (names) => {
    known(names);
    return [];
  },
  stopAll: async (names) => void known(names),
};

const fakeAnomalies: AppDeps["anomalies"] = {
  list: async (_params, model) => known(model === undefined ? ["a"] : [model]),
  judge: async (model) => void known([model]),
};

const fakeTokens: AppDeps["tokens"] = {
  list: async () => [{ name: "a", scope: "admin" }],
  create: async () => ({ name: "a", scope: "admin", token: "shown once" }),
  remove: async (names) => void known(names),
};

function record<T extends object>(calls: string[], noun: string, resource: T): T {
  return new Proxy(resource, {
    get: (target, key) => {
      const method = target[key as keyof T] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls.push(`${noun}.${String(key)}${JSON.stringify(args)}`);
        return method(...args);
      };
    },
  });
}

/** What a request is answered. Texts of `holds` must, those of `lacks` must not be in body or headers. */
export interface Expected {
  readonly status: number;
  readonly type?: string | null;
  readonly body?: unknown;
  readonly holds?: readonly string[];
  readonly lacks?: readonly string[];
  readonly call?: string;
}

export interface RequestInput {
  readonly body?: string | Uint8Array<ArrayBuffer> | ReadableStream | FormData;
  readonly type?: string;
  readonly headers?: Record<string, string>;
}

/** Sends `METHOD /path`; a body without a content type goes as JSON. */
export function send(app: App, line: string, { body, type, headers }: RequestInput = {}): Promise<Response> {
  const [method = "GET", path = "/"] = line.split(" ");
  const all = new Headers(headers);
  const contentType = type ?? (body === undefined ? undefined : "application/json");
  // The platform would add text/plain by itself; an empty type stands for none.
  if (contentType) all.set("content-type", contentType);
  const request = new Request(`http://localhost:8077${path}`, {
    method,
    headers: all,
    ...(body !== undefined && { body }),
  });
  if (contentType === "") request.headers.delete("content-type");
  return app.handle(request);
}

/** Sends a request and checks its answer, and what every answer must have. */
export async function expectAnswer(
  app: FakeApp,
  [line, input]: readonly [string, RequestInput],
  expected: Expected,
): Promise<void> {
  const response = await send(app, line, input);
  const text = await response.text();
  const whole = `${JSON.stringify(Object.fromEntries(response.headers))}\n${text}`;
  expect([line, response.status, text.slice(0, 300)]).toEqual([line, expected.status, text.slice(0, 300)]);
  expect(response.headers.get("x-request-id")).toMatch(/^[\w./:+=-]{1,128}$/);
  expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  const type = expected.type ?? (expected.status >= 400 ? "application/problem+json" : "application/json");
  if (expected.type !== null) expect(response.headers.get("content-type")).toBe(type);
  if (expected.status >= 400 && text) checkProblem(JSON.parse(text), expected.status);
  if (expected.body !== undefined) expect(JSON.parse(text)).toEqual(expected.body as never);
  for (const part of expected.holds ?? []) expect(whole).toContain(part);
  for (const part of expected.lacks ?? []) expect(whole).not.toContain(part);
  if (expected.call !== undefined) expect(app.calls).toContain(expected.call);
}

function checkProblem(problem: Record<string, unknown>, status: number): void {
  expect(problem).toMatchObject({ type: "about:blank", status, error: problem.detail as string });
  for (const key of ["title", "detail", "code"]) expect(problem[key]).toBeString();
}
