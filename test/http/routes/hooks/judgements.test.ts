// Pages of judgement links: a question, a button, an answer; without scripts, and open to who holds a link.
import { describe, expect, test } from "bun:test";
import { TorusError } from "../../../../src/core/errors.ts";
import { createFakeApp, send } from "../../../support/fake-app.ts";

const view = {
  action: "noise",
  model: "<b>load",
  series: "host=a",
  since: "2026-01-02 04:04:00+01:00",
  summary: "cpu <i>user</i> too high: 93.4 %, not 10 %",
} as const;
const known = { show: async () => view, apply: async () => view };
const nobody = { identify: () => Promise.reject(new Error("no token")) as never, clientOf: () => "client" };

describe("a link", () => {
  test("asks, without a token, in a page that runs nothing", async () => {
    const app = createFakeApp({ judgements: known, auth: nobody });
    const answer = await send(app, "GET /judge/abc");
    const text = await answer.text();
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain("cpu &lt;i&gt;user&lt;/i&gt; too high: 93.4 %, not 10 %");
    expect(text).toContain("&lt;b&gt;load (host=a) since 2026-01-02 04:04:00+01:00");
    expect(text).toContain('<form method="post"><button>No, it was noise');
    expect(app.calls).toEqual(['judgements.show["abc"]']);
  });

  test("is done by the form of a browser", async () => {
    const app = createFakeApp({ judgements: known, auth: nobody });
    const sent = { body: "", type: "application/x-www-form-urlencoded" };
    const answer = await send(app, "POST /judge/abc", sent);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("Noted: it was noise");
    expect(app.calls).toEqual(['judgements.apply["abc"]']);
  });

  test("that is refused says why, in a page", async () => {
    const refuse = () => Promise.reject(new TorusError("not_found", "this link <has> expired"));
    const app = createFakeApp({ judgements: { show: refuse, apply: refuse } });
    const answer = await send(app, "GET /judge/abc");
    expect([answer.status, await answer.text()]).toEqual([
      404,
      expect.stringContaining("<p>This link &lt;has&gt; expired.</p>"),
    ]);
  });
});
