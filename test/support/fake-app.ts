// The HTTP application over stubs that record calls, for tests of its guards; routes are tested by the contract.
import { expect } from "bun:test";
import { unrestricted } from "../../src/core/access/token.ts";
import { type App, createApp } from "../../src/http/app.ts";
import type { AppDeps, Resources } from "../../src/http/framework/deps.ts";
import { createLog } from "../../src/telemetry/log.ts";

export const JOB_ID = "0b5f6c1e-8f0a-4f7e-9a61-2f6f3f1f0c11";

export interface FakeApp extends App {
  /** `name(arguments as JSON)` of every call of a resource. */
  readonly calls: string[];
  readonly logged: string[];
  readonly held: Request[];
}

/** Replaces stubs, as in `{ models: { list: () => { throw ... } } }`, and services. */
export type Overrides = { readonly [Noun in keyof Resources]?: Partial<Resources[Noun]> } & {
  /** Default: everybody may do everything. */
  readonly auth?: AppDeps["auth"];
  /** Default: every name is answered. */
  readonly hosts?: AppDeps["hosts"];
  readonly cors?: AppDeps["cors"];
  readonly tls?: boolean;
  readonly limits?: Partial<AppDeps["limits"]>;
  readonly health?: Partial<AppDeps["health"]>;
  readonly meter?: Partial<AppDeps["meter"]>;
};

/** An application whose resources do nothing: every method answers `{ jobId }`. */
export function createFakeApp(overrides: Overrides = {}): FakeApp {
  const calls: string[] = [];
  const logged: string[] = [];
  const held: Request[] = [];
  const services: Omit<AppDeps, keyof Resources> = {
    ui: undefined,
    auth: overrides.auth ?? { identify: () => unrestricted, clientOf: () => "client" },
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
    putExternalUrl: async () => void calls.push("putExternalUrl"),
    backup: { open: async () => ({ size: 3, stream: new Blob(["tar"]).stream() }) },
    health: {
      check: async () => ({
        ready: true,
        checks: { storage: fine, live: fine, workers: fine, connections: fine, buckets: fine },
      }),
      ...overrides.health,
    },
    meter: {
      onAnswer: () => {},
      onMcpCall: () => {},
      render: async () => "",
      contentType: "text/plain",
      ...overrides.meter,
    },
  };
  const deps = new Proxy({ advice: noAdvice, ...services } as AppDeps, {
    get: (known, noun: keyof Resources) =>
      noun in known ? known[noun] : createStub(calls, noun, overrides[noun] ?? {}),
  });
  return { ...createApp(deps), calls, logged, held };
}

const fine = { ok: true };
/** Every method answers that there is none. */
const noAdvice = new Proxy({}, { get: () => async () => [] });

/** Records `noun.method[arguments as JSON]`, then calls the override. */
function createStub(calls: string[], noun: string, overrides: object): object {
  return new Proxy(overrides as Record<string, (...args: unknown[]) => unknown>, {
    get: (methods, method: string) => {
      return async (...args: unknown[]) => {
        calls.push(`${noun}.${method}${JSON.stringify(args)}`);
        return methods[method] ? methods[method](...args) : { jobId: JOB_ID };
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
  const type = expected.type ?? "application/json";
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
