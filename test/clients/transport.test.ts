// Requests of both clients: errors, retries, redirects, tokens, pages and streams of events.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { pages } from "../../.ci/clients/typescript/runtime/pages.ts";
import { waitMs } from "../../.ci/clients/typescript/runtime/retries.ts";
import { type CallOptions, type Names, Transport } from "../../.ci/clients/typescript/runtime/transport.ts";
import { problem, startDropping, startFake } from "./fake-server.ts";
import { hasPython, type PythonProcess, readOwnApi, startPython, writePythonClient } from "./generated.ts";

const TOKEN = "torus-secret";
const soon = { "retry-after": "0" };

interface TestEvent {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

/** Some of the operations, as the generated class has them. */
class Torus extends Transport {
  getModels = (names: Names, options: CallOptions & { readonly page?: number } = {}) =>
    this.call<readonly unknown[]>(
      {
        method: "GET",
        path: "/models/{names}",
        query: { page: "page", per_page: "per_page" },
        repeatable: true,
      },
      { path: { names }, options },
    );
  writePoints = (name: string, body: readonly object[]) =>
    this.call<string>(posting("_write", true), { path: { names: name }, body });
  trainModels = (names: Names) => this.call<string>(posting("_train", false), { path: { names }, body: {} });
  followEvents = (options: CallOptions = {}) =>
    this.follow<TestEvent>(
      { method: "GET", path: "/events", query: { last_event_id: "last_event_id" }, repeatable: true },
      { options },
    );
}

function posting(verb: string, repeatable: boolean) {
  return { method: "POST", path: `/models/{names}/${verb}`, type: "application/json", repeatable };
}

/** What came of a call: its answer in JSON, or `code status field message` of the error. */
type Try = (
  url: string,
  call: { readonly ts: (torus: Torus) => Promise<unknown>; readonly py: string },
) => Promise<string>;

const tryTypescript: Try = async (url, { ts }) => {
  try {
    return JSON.stringify(await ts(new Torus({ url, token: TOKEN })));
  } catch (error) {
    const { code, status, field, message } = error as Record<string, unknown>;
    return `${code} ${status} ${field ?? "-"} ${message}`;
  }
};

/** Evaluates the expression of each line. */
const script = `import json, sys, torus_client as t

def collect(events):
    found = []
    try:
        for event in events:
            found.append(t.to_json(event))
    except t.TorusError as error:
        found.append(error.code)
    return found

for line in sys.stdin:
    asked = json.loads(line)
    torus = t.Torus(asked["url"], ${JSON.stringify(TOKEN)})
    try:
        print(json.dumps(t.to_json(eval(asked["py"]))), flush=True)
    except t.TorusError as error:
        print(error.code, error.status, error.field or "-", error, flush=True)
`;
let python: PythonProcess | undefined;
const tryPython: Try = (url, { py }) => python!.ask({ url, py });

beforeAll(async () => {
  if (hasPython()) python = startPython(writePythonClient(await readOwnApi()), script);
});
afterAll(() => python?.stop());

const read = { ts: (torus: Torus) => torus.getModels("load"), py: 'torus.get_models("load")' };
const train = { ts: (torus: Torus) => torus.trainModels("load"), py: 'torus.train_models("load", {})' };
const write = { ts: (torus: Torus) => torus.writePoints("load", []), py: 'torus.write_points("load", [])' };

describe.each([
  ["TypeScript", tryTypescript, true],
  ["Python", tryPython, hasPython()],
] as const)("the %s client", (_language, attempt, canRun) => {
  if (!canRun) return;

  test("sends token, version and encoded names", async () => {
    await using server = startFake(() => Response.json([]));
    const call = {
      ts: (torus: Torus) => torus.getModels(["a", "b c"], { page: 2 }),
      py: 'torus.get_models(["a", "b c"], page=2)',
    };
    expect(await attempt(server.url, call)).toBe("[]");
    const [{ target, headers }] = server.seen as [(typeof server.seen)[number]];
    expect(target).toBe("/models/a;b%20c?page=2");
    expect(headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(headers.get("user-agent")).toMatch(/^torus-client-(js|python)\/\d+\.\d+\.\d+/);
  });

  test.each([
    [404, { code: "not_found", detail: "there is no model load" }, "not_found 404 - there is no model load"],
    [
      400,
      { code: "invalid", detail: "epochs: must be less", path: "epochs" },
      "invalid 400 epochs epochs: must be less",
    ],
    [409, { code: "of_tomorrow", detail: "new" }, "other 409 - new"],
  ])("%d of %p is an error by its code", async (status, body, wanted) => {
    await using server = startFake(() => problem(status, body));
    expect(await attempt(server.url, read)).toBe(wanted);
    expect(server.seen).toHaveLength(1);
  });

  test("an answer of something else is an error with its text", async () => {
    await using server = startFake(() => new Response("<h1>Bad gateway</h1>", { status: 502 }));
    expect(await attempt(server.url, read)).toBe("other 502 - status 502: <h1>Bad gateway</h1>");
  });

  test.each([
    ["a read", read, 3],
    ["a write of points", write, 3],
    ["a training", train, 1],
  ] as const)("after a 503 %s is sent %3$d times", async (_what, call, attempts) => {
    const overloaded = () => problem(503, { code: "overloaded", detail: "busy" }, soon);
    await using server = startFake((_, before) => (before < 2 ? overloaded() : Response.json("done")));
    expect(await attempt(server.url, call)).toBe(attempts === 3 ? '"done"' : "overloaded 503 - busy");
    expect(server.seen).toHaveLength(attempts);
  });

  test("retries are bounded", async () => {
    await using server = startFake(() => problem(503, { code: "overloaded", detail: "busy" }, soon));
    expect(await attempt(server.url, read)).toBe("overloaded 503 - busy");
    expect(server.seen).toHaveLength(4);
  });

  test("a server that asks for more patience than there is gets no retry", async () => {
    await using server = startFake(() =>
      problem(429, { code: "too_many_requests", detail: "later" }, { "retry-after": "3600" }),
    );
    expect(await attempt(server.url, read)).toBe("too_many_requests 429 - later");
    expect(server.seen).toHaveLength(1);
  });

  test.each([
    ["a read", read, 2, '"done"'],
    ["a write of points", write, 2, '"done"'],
    ["a training", train, 1, "connection 0 - no answer from http"],
  ] as const)("after a lost connection %s is sent %3$d times", async (_what, call, attempts, wanted) => {
    using server = startDropping(1);
    expect(await attempt(server.url, call)).toStartWith(wanted);
    server.expectAttempts(attempts);
  });

  test("a redirect is refused: the token is for one server", async () => {
    await using other = startFake(() => Response.json("stolen"));
    await using server = startFake(() => Response.redirect(`${other.url}/models/load`));
    expect(await attempt(server.url, train)).toMatch(/^(connection 0|other 302) /);
    expect(other.seen).toEqual([]);
  });

  test("pages are read until one is not full", async () => {
    const entries = Array.from({ length: 250 }, (_, i) => i);
    await using server = startFake((request) => {
      const query = new URL(request.url).searchParams;
      const [page, perPage] = [Number(query.get("page")), Number(query.get("per_page"))];
      return Response.json(entries.slice(page * perPage, (page + 1) * perPage));
    });
    const call = {
      ts: (torus: Torus) =>
        Array.fromAsync(
          pages((page) => torus.getModels("all", page)),
          (page) => page.length,
        ),
      py: '[len(page) for page in t.pages(torus.get_models, "all")]',
    };
    expect(JSON.parse(await attempt(server.url, call))).toEqual([100, 100, 50]);
    expect(server.seen).toHaveLength(3);
  });

  test("events go on after a lost connection, from the last one", async () => {
    const texts = [
      "id: 1\nevent: ready\ndata: {}\n\nid: 2\nevent: mod",
      'id: 3\r\nevent: model\r\ndata: {"a":\r\ndata: 1}\r\n\r\n',
    ];
    await using server = startFake((_, before) =>
      before < 2
        ? new Response(texts[before], { headers: { "content-type": "text/event-stream" } })
        : problem(403, { code: "forbidden", detail: "no more" }),
    );
    const call = {
      ts: async (torus: Torus) => {
        const found: unknown[] = [];
        const followed = Array.fromAsync(torus.followEvents(), (event) => found.push(event));
        await followed.catch((error) => found.push(error.code));
        return found;
      },
      py: "collect(torus.follow_events())",
    };
    const events = JSON.parse(await attempt(server.url, call));
    expect(events).toEqual([
      { id: "1", event: "ready", data: {} },
      { id: "3", event: "model", data: { a: 1 } },
      "forbidden",
    ]);
    expect(server.seen.map(({ target }) => target)).toEqual([
      "/events",
      "/events?last_event_id=1",
      "/events?last_event_id=3",
    ]);
  });
});

test.each([["http://u:p@localhost"], ["ftp://localhost"]])("%s is no address of a server", (url) => {
  expect(() => new Transport({ url })).toThrow("url must be http:// or https://, without user and password");
});

test("no text of a client or its errors holds the token", () => {
  expect(() => new Transport({ url: "http://localhost", token: "se\ncret" })).toThrow(
    /^token must be of visible ASCII characters$/,
  );
  const torus = new Transport({ url: "http://localhost", token: TOKEN });
  expect(JSON.stringify(torus) + Bun.inspect(torus)).not.toContain(TOKEN);
});

test.each([
  [0, null, [125, 250]],
  [3, null, [1000, 2000]],
  [30, null, [15_000, 30_000]],
  [3, "7", [7000, 7000]],
  [3, "Thu, 01 Jan 1970 00:00:00 GMT", [0, 0]],
  [0, "soon", [125, 250]],
] as const)("attempt %d after Retry-After %p waits %p ms", (attempt, retryAfter, [least, most]) => {
  const ms = waitMs(attempt, retryAfter);
  expect(ms >= least && ms <= most).toBe(true);
});
