// Webhooks of GitHub: taken without a token where they are signed, and refused otherwise.

import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { createHmac } from "node:crypto";
import { startTestServer, type TestServer } from "../../../contract/server.ts";

setDefaultTimeout(60_000);
const SECRET = "0123456789abcdef0123";
const TOKEN = "admin-0123456789abcdef0123456789";
const release = {
  action: "published",
  release: { id: 7, tag_name: "v1.9.2 ü", published_at: "2026-01-31T12:00:00Z" },
  repository: { name: "web" },
};
let server: TestServer;

beforeAll(async () => {
  const auth = `auth: {tokens: [{name: ops, scope: admin, token: ${TOKEN}}]}`;
  server = await startTestServer({ settings: `server: {github_secret: ${SECRET}, ${auth}}` });
});
afterAll(() => server.stop());

const sign = (text: string) => `sha256=${createHmac("sha256", SECRET).update(text).digest("hex")}`;

function send(text: string, headers: Record<string, string> = { "x-hub-signature-256": sign(text) }) {
  const all = { "content-type": "application/json", "x-github-event": "release", ...headers };
  return fetch(`${server.url}/webhooks/github`, { method: "POST", body: text, headers: all });
}

test("a signed webhook is a change, without a token; a second delivery is the same", async () => {
  // As it was sent: spaces and letters beyond ASCII count.
  const text = JSON.stringify(release, null, 1);
  const answer = await send(text);
  expect(answer.status).toBe(201);
  expect(await answer.json()).toMatchObject([{ id: "github-release-7", title: "web v1.9.2 ü" }]);
  expect((await send(text)).status).toBe(200);
  const ping = await send(JSON.stringify({ zen: "Keep it logically awesome.", hook_id: 1 }));
  expect([ping.status, await ping.json()]).toEqual([200, []]);
});

test("one that is not signed, or by another secret, is refused before it is read", async () => {
  const text = JSON.stringify(release);
  for (const [body, headers] of [
    [text, {}],
    [`${text} `, { "x-hub-signature-256": sign(text) }],
    [text, { authorization: `Bearer ${TOKEN}` }],
    ["{", { "x-hub-signature-256": sign("}") }],
  ] as const) {
    const answer = await send(body, headers);
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, "unauthorized"]);
  }
  expect(server.lines.join()).not.toContain(SECRET);
});

test("what is signed and no JSON, or too long, is refused with the rule", async () => {
  const broken = await send("{");
  expect([broken.status, ((await broken.json()) as { error: string }).error]).toEqual([
    400,
    "body: must be valid JSON",
  ]);
  expect((await send(`"${"x".repeat(1024 * 1024)}"`)).status).toBe(413);
});

test("the other paths need a token as before", async () => {
  for (const path of ["/changes", "/webhooks", "/webhooks/github/x"])
    expect((await fetch(`${server.url}${path}`)).status).toBe(401);
});
