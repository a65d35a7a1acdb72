// Command `torus report`: text, a page, and JSON.
import { expect, setDefaultTimeout, test } from "bun:test";
import { useSession } from "../../session.ts";

setDefaultTimeout(60_000);
const { torus, ok, json } = useSession();

test("text, a page, and JSON of a range", async () => {
  await ok("change 'web 1' --at now-2d");
  const text = await ok("report");
  expect(text).toMatch(/^Torus: .*\n\nWHAT HAPPENED\nNo anomalies\.\n/);
  expect(text).toContain("CHANGES\n1 change, 1 without an incident after it.\n");
  expect(await ok("report --html --from now-1d")).toMatch(/^<!doctype html>.*None recorded\./s);
  expect(await json("report --from now-3d --to now-1d")).toMatchObject({ changes: { total: 1, good: 1 } });
});

test("a range that is too long is refused", async () => {
  expect((await torus("report --from now-1y")).err).toContain("from: must be at most 92 days before to");
});

test("a report is not sent without a mail server", async () => {
  const { code, err } = await torus("send-report ops@example.org --sender torus@example.org");
  expect(code).not.toBe(0);
  expect(err).toContain("no mail server is configured");
});
