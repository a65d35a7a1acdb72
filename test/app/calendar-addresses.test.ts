// Addresses of calendars on a whole server: private ones are read only as long as the settings allow them.
import { afterAll, expect, test } from "bun:test";
import { startTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";

const ical = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART:20260101T000000Z\nEND:VEVENT\nEND:VCALENDAR\n";
let asked = 0;
const web = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: () => {
    asked++;
    return new Response(ical);
  },
});
afterAll(() => web.stop(true));

/** Calls a server on the data directory. @returns status and text */
async function call(dir: string, settings: string, path: string, body: object) {
  const server = await startTestServer({ dir, settings });
  try {
    const response = await fetch(`${server.url}${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
    });
    return { status: response.status, text: await response.text() };
  } finally {
    await server.stop();
  }
}

test("a calendar of a private address is not read once that is no longer allowed", async () => {
  const dir = temporaryFolder();
  const open = "hooks: {webhook: {private_addresses: true}}";
  const calendar = { name: "c", url: `http://127.0.0.1:${web.port}/c.ics` };
  expect(await call(dir, "", "/calendars", calendar)).toMatchObject({ status: 400 });
  expect(await call(dir, open, "/calendars", calendar)).toMatchObject({ status: 201 });
  expect(await call(dir, open, "/calendars/c/_refresh", {})).toMatchObject({ status: 200 });
  const before = asked;
  expect(before).toBeGreaterThan(0);
  const { status, text } = await call(dir, "", "/calendars/c/_refresh", {});
  expect([asked, text]).toEqual([before, expect.stringContaining("private")]);
  expect(status).not.toBe(500);
});
