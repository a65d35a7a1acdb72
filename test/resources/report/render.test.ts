// Reports as text and as a page: what they say, that every text is escaped, and that no script is within.
import { expect, test } from "bun:test";
import { useStore } from "../../store/temporary.ts";
import {
  DAY,
  feature,
  HOUR,
  MINUTE,
  makeReports,
  NOW,
  putAnomaly,
  putBudget,
  putChange,
  putModel,
  putOutlook,
} from "./reports.ts";

const store = useStore();
const render = () => makeReports(store).render({});

test("the text names what happened, and the request that would have spared alarms", async () => {
  await putModel(store, "m", { max_threshold: 60 });
  await putChange(store, "web 1", NOW - DAY - 4 * MINUTE);
  await putAnomaly(store, { startAt: NOW - DAY, severity: "critical" });
  for (const hours of [5, 9]) await putAnomaly(store, { startAt: NOW - DAY + hours * HOUR });
  const { text, title } = await render();
  expect(title).toBe("Torus: 2026-02-01 00:00+00:00 to 2026-02-08 00:00+00:00");
  expect(text.split("\n\n").map((part) => part.split("\n")[0])).toEqual([
    ...[title, "WHAT HAPPENED", "ALARMS"],
    ...["NOISIEST MODELS", "SILENT NOW", "CHANGES", "WHAT RUNS FULL", "ERROR BUDGETS"],
  ]);
  expect(text).toContain(
    [
      "3 incidents:",
      "- critical: web-1 load too high: 9, not 5",
      "  since 2026-02-07 00:00+00:00, 10 min; model m",
      "  began 4 min after deploy web 1",
    ].join("\n"),
  );
  expect(text).toContain('  PATCH /models/m {"max_threshold":80}\n');
  expect(text).toContain("- deploy web 1, 2026-02-06 23:56+00:00: 1 incident\n");
});

test("a page escapes every text, and has no script, link or image of elsewhere", async () => {
  const evil = `<script>alert("x")</script>`;
  await putModel(store, "m");
  await putChange(store, evil, NOW - DAY - MINUTE);
  const series = { f: { ...feature, field: evil, tags: { host: `"><img src=x onerror=y>` } } };
  await putAnomaly(store, { model: "a&b<c>", startAt: NOW - DAY, features: series });
  store.sqlite.run(
    "insert into failed_sources (bucket, episode, model, started_at, code, reason) values ('b', 'e', 'm', 5000, 'bucket_unavailable', ?)",
    [evil],
  );
  const { html } = await render();
  expect(html).toContain("&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;");
  expect(html).toContain("a&amp;b&lt;c&gt;");
  const tags = new Set([...html.matchAll(/<([a-z!][a-z0-9]*)/g)].map(([, tag]) => tag!));
  const known = "!doctype html head meta title style body main h1 h2 p ul li small svg rect".split(" ");
  expect([...tags].filter((tag) => !known.includes(tag))).toEqual([]);
  expect(html).not.toMatch(/<[^>]*\s(on\w+|src|href|style)=/);
  expect(html).toContain("prefers-color-scheme:dark");
});

test("rows link to their page of the dashboard where the server has an address", async () => {
  await putModel(store, "a b");
  const id = await putAnomaly(store, { model: "a b", startAt: NOW - DAY });
  await putOutlook(store, "disk");
  const linked = await makeReports(store, { externalUrl: "https://torus.example.org/x" }).render({});
  const page = "https://torus.example.org/x/ui/#/models";
  expect(linked.html).toContain(`<a href="${page}/a%20b?at=${id}">info: web-1 load too high: 9, not 5</a>`);
  expect(linked.html).toContain(`<a href="${page}/disk/forecast">disk: used reaches`);
  expect(linked.text).toContain(`model a b\n  ${page}/a%20b?at=${id}\n`);
  expect(linked.text).toContain(`  ${page}/disk/forecast\n`);
  const plain = await render();
  expect(plain.html).not.toContain("<a ");
  expect(plain.text).not.toContain("http");
});

test("a page has a bar of every day, and says of which days; none without alarms", async () => {
  expect((await render()).html).not.toContain("<svg");
  for (const hours of [1, 2]) await putAnomaly(store, { startAt: NOW - DAY + hours * HOUR });
  const { html } = await render();
  expect(html.match(/<rect /g)).toHaveLength(7);
  expect(html).toContain("<small>by day (UTC), 2026-02-01 to 2026-02-07; at most 2</small>");
});

test("a limit has its date, or none", async () => {
  await putOutlook(store, "disk");
  await putOutlook(store, "tape", false);
  const { text } = await render();
  expect(text).toContain(
    "2 limits ahead:\n- disk: used reaches 100 % at 2026-02-20 00:00+00:00\n  rises by 1.6 %",
  );
  expect(text).toContain("- tape: used moves towards 100 %\n");
});

test("an error budget has what is left and when nothing is", async () => {
  await putBudget(store, "web", 0.25);
  const { text } = await render();
  expect(text).toContain(
    "1 error budget:\n- web: burn: 25 % of the error budget is left, exhausted at 2026-02-11 00:00+00:00",
  );
});

test("control characters do not reach a terminal", async () => {
  await putAnomaly(store, { startAt: NOW - DAY, features: { f: { ...feature, field: "\x1b[2J\nload" } } });
  const { text } = await render();
  expect(text).toContain("web-1  [2J load too high");
  expect(text).not.toContain("\x1b");
});
