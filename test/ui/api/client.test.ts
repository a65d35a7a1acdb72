// Client of the API: tokens, answers, refusals, a server that is away, aborted requests.
import { expect, test } from "bun:test";
import { createClient, Problem } from "../../../src/ui/api/client.ts";

function makeClient(answer: (request: Request) => Response | Promise<Response>, token?: string) {
  const seen: Request[] = [];
  const statuses: number[] = [];
  const send = async (input: string | URL | Request, init?: RequestInit) => {
    const request = new Request(String(input).replace("..", "http://t"), init);
    seen.push(request);
    init?.signal?.throwIfAborted();
    return answer(request);
  };
  const options = {
    base: "..",
    token: () => token,
    onAnswer: (status: number) => void statuses.push(status),
    tell: (code: string, message: string) => `${code}: ${message}`,
  };
  return { request: createClient({ ...options, fetch: send as typeof fetch }), seen, statuses };
}

async function problemOf(work: Promise<unknown>): Promise<Problem> {
  const problem = await work.then(
    () => undefined,
    (error) => error,
  );
  expect(problem).toBeInstanceOf(Problem);
  return problem;
}

test("an answer is parsed; the token and the body are sent", async () => {
  const { request, seen, statuses } = makeClient(() => Response.json([1]), "secret");
  expect(await request<number[]>("/models", { method: "POST", body: { a: 1 } })).toEqual([1]);
  expect(seen[0]!.headers.get("authorization")).toBe("Bearer secret");
  expect(seen[0]!.headers.get("content-type")).toBe("application/json");
  expect(await seen[0]!.json()).toEqual({ a: 1 });
  expect(statuses).toEqual([200]);
});

test("an answer says which token was sent, whatever it is by then", async () => {
  const sent: (string | undefined)[] = [];
  let token = "old";
  const send = async () => {
    token = "new";
    return new Response(null, { status: 401 });
  };
  const onAnswer = (_status: number, _headers?: Headers, sentToken?: string) => void sent.push(sentToken);
  const tell = (_code: string, message: string) => message;
  const options = { base: "..", token: () => token, onAnswer, tell, fetch: send as unknown as typeof fetch };
  await problemOf(createClient(options)("/x"));
  expect(sent).toEqual(["old"]);
});

test("without a token no credentials; 204 is nothing", async () => {
  const { request, seen } = makeClient(() => new Response(null, { status: 204 }));
  expect(await request<undefined>("/x")).toBeUndefined();
  expect(seen[0]!.headers.get("authorization")).toBeNull();
});

test("a refusal has status, code, sentence in the language of the page, and the seconds to wait", async () => {
  const body = { code: "too_many", detail: "slow down" };
  const { request } = makeClient(() => Response.json(body, { status: 429, headers: { "retry-after": "7" } }));
  const problem = await problemOf(request("/x"));
  expect(problem).toMatchObject({
    status: 429,
    code: "too_many",
    message: "too_many: slow down",
    retryAfter: 7,
  });
});

test.each([
  [{ errors: [{ path: "a.b", message: "is wrong" }] }, [{ path: "a.b", message: "is wrong" }]],
  [{ path: "a", detail: "a: is required" }, [{ path: "a", message: "is required" }]],
  [{ detail: "no" }, []],
])("a refusal of %j says where", async (body, errors) => {
  const { request } = makeClient(() => Response.json({ code: "invalid", ...body }, { status: 400 }));
  expect((await problemOf(request("/x"))).errors).toEqual(errors);
});

test("a condition is sent, and the entity tag of the answer is known", async () => {
  const { request, seen } = makeClient(() => Response.json(1, { headers: { etag: '"b"' } }));
  const tags: string[] = [];
  await request("/x", { method: "PATCH", body: {}, ifMatch: '"a"', onTag: (tag) => void tags.push(tag) });
  expect([seen[0]!.headers.get("if-match"), tags]).toEqual(['"a"', ['"b"']]);
});

test("a proxy's page is a refusal, too", async () => {
  const { request } = makeClient(() => new Response("<html>", { status: 502, statusText: "Bad Gateway" }));
  expect(await problemOf(request("/x"))).toMatchObject({ status: 502, message: "502 Bad Gateway" });
});

test("a server that is away has status 0", async () => {
  const { request, statuses } = makeClient(() => Promise.reject(new TypeError("failed to fetch")));
  expect((await problemOf(request("/x"))).status).toBe(0);
  expect(statuses).toEqual([0]);
});

test("an aborted request is no problem of the server", async () => {
  const { request, statuses } = makeClient(() => Response.json(1));
  const error = await request("/x", { signal: AbortSignal.abort() }).catch((caught: Error) => caught);
  expect((error as Error).name).toBe("AbortError");
  expect(statuses).toEqual([]);
});
