// Routes of reports: JSON, a page under a policy without scripts, or text, as parameter and header choose.
import { expect, test } from "bun:test";
import { createFakeApp } from "../../support/fake-app.ts";

const read = async () => ({ from: 1 }) as never;
const render = async () => ({ title: "t", html: "<!doctype html>", text: "lines" });
const app = createFakeApp({ reports: { read, render } });
const get = (query: string, accept = "*/*") =>
  app.handle(new Request(`http://localhost/report${query}`, { headers: { accept } }));

test.each([
  ["", "*/*", "application/json", '{"from":1}'],
  ["", "application/json", "application/json", '{"from":1}'],
  ["", "text/html,application/xhtml+xml,*/*;q=0.8", "text/html; charset=utf-8", "<!doctype html>"],
  ["?format=html", "*/*", "text/html; charset=utf-8", "<!doctype html>"],
  ["?format=json", "text/html", "application/json", '{"from":1}'],
  ["?format=text", "text/html", "text/plain; charset=utf-8", "lines"],
])("%s for %s is %s", async (query, accept, type, body) => {
  const answer = await get(query, accept);
  expect([answer.status, answer.headers.get("content-type"), await answer.text()]).toEqual([200, type, body]);
  expect(answer.headers.get("vary")).toContain("accept");
});

test("the policy of a page allows no script and nothing from elsewhere", async () => {
  const policy = (await get("?format=html")).headers.get("content-security-policy");
  expect(policy).toStartWith("default-src 'none'; style-src 'unsafe-inline';");
});

test("another format is refused", async () => {
  const answer = await get("?format=pdf");
  expect([answer.status, await answer.json()]).toMatchObject([400, { path: "format" }]);
});
