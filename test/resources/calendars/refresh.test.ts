// Refresh of calendars from a real HTTP server: validators, failures, hostile answers, two servers on one store.
import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { download } from "../../../src/net/download.ts";
import { Calendars } from "../../../src/resources/calendars/index.ts";
import { CalendarRefresh, type RefreshDeps } from "../../../src/resources/calendars/refresh.ts";
import { findCalendar, loadCalendars, recordReading } from "../../../src/store/calendars.ts";
import { FakeClock } from "../../jobs/fakes.ts";
import { codeOf, openTemporary } from "../../store/temporary.ts";

const MINUTE = 60_000;
const ical = (day: string) =>
  `BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nSUMMARY:e\nDTSTART;VALUE=DATE:2026${day}\nEND:VEVENT\nEND:VCALENDAR\n`;

/** Answers of the server of the calendar; each test sets its own. */
let answer: (request: Request) => Response | Promise<Response> = () => new Response(ical("0501"));
const seen: { readonly path: string; readonly match: string | null; readonly since: string | null }[] = [];
const web = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  fetch: (request) => {
    const { pathname, search } = new URL(request.url);
    const header = (name: string) => request.headers.get(name);
    seen.push({
      path: pathname + search,
      match: header("if-none-match"),
      since: header("if-modified-since"),
    });
    return answer(request);
  },
});
afterAll(() => web.stop(true));

const url = `http://127.0.0.1:${web.port}/private-t0k3n/basic.ics?key=s3cret`;
const clock = new FakeClock(Date.UTC(2026, 0, 1));
let store: ReturnType<typeof openTemporary>;
let open: CalendarRefresh[] = [];
beforeEach(() => {
  store = openTemporary();
  seen.length = 0;
});
afterEach(async () => {
  for (const refresh of open) await refresh.stop();
  open = [];
  await store.remove();
});

function make({
  allowPrivate = true,
  ...events
}: { allowPrivate?: boolean } & Pick<RefreshDeps, "onFailure" | "onBack"> = {}) {
  const allowed = { programs: [], allowPrivate };
  const refresh = new CalendarRefresh({
    ...events,
    store,
    clock,
    download: ({ etag, lastModified, ...source }, signal) =>
      download(
        { ...source, software: "calendar", known: { etag, lastModified }, publicOnly: !allowed.allowPrivate },
        signal,
      ),
    onError: (error) => {
      throw error;
    },
  });
  open.push(refresh);
  return { refresh, calendars: new Calendars({ store, clock, timezone: () => "UTC", allowed, refresh }) };
}

const shown = async (calendars: Calendars) =>
  (await calendars.get(["c"])).entries[0] as Record<string, unknown>;

test("reads with the validators of the last answer; 304 keeps the text", async () => {
  const modified = "Thu, 01 Jan 2026 00:00:00 GMT";
  answer = (request) =>
    request.headers.get("if-none-match") === '"v1"'
      ? new Response(null, { status: 304 })
      : new Response(ical("0501"), { headers: { etag: '"v1"', "last-modified": modified } });
  const { calendars } = make();
  await calendars.put({ name: "c", url });
  await calendars.refresh("c");
  clock.advance(MINUTE);
  await calendars.refresh("c");
  expect(seen).toEqual([
    { path: "/private-t0k3n/basic.ics?key=s3cret", match: null, since: null },
    { path: "/private-t0k3n/basic.ics?key=s3cret", match: '"v1"', since: modified },
  ]);
  const at = clock.now() / 1000;
  expect(await shown(calendars)).toMatchObject({
    events: 1,
    url: `http://127.0.0.1:${web.port}/***`,
    refreshed_timestamp: at,
    next_refresh_timestamp: at + 3600,
    next_events: [{ summary: "e", all_day: true, start_date: "2026-05-01T00:00:00.000Z" }],
  });
});

test("a failure keeps the text, and is retried at growing intervals up to that of the calendar", async () => {
  answer = () => new Response(ical("0501"));
  const { calendars } = make();
  await calendars.put({ name: "c", url, refresh: "5m" });
  await calendars.refresh("c");
  answer = () => new Response("the inner secret", { status: 500 });
  const waits: number[] = [];
  for (let i = 0; i < 5; i++) {
    const view = (await calendars.refresh("c")) as { next_refresh_timestamp: number };
    waits.push(view.next_refresh_timestamp - clock.now() / 1000);
  }
  expect(waits).toEqual([60, 120, 240, 300, 300]);
  expect(await shown(calendars)).toMatchObject({
    events: 1,
    last_error: "calendar answered 500",
    last_error_code: "unreachable",
  });
  answer = () => new Response(ical("0601"));
  expect(await calendars.refresh("c")).not.toHaveProperty("last_error");
  expect(await shown(calendars)).not.toHaveProperty("last_error_code");
});

test("a refused text leaves the last good one in force; it is told once, counted each time, and told when it is back", async () => {
  const told: unknown[] = [];
  const { calendars } = make({
    onFailure: ({ calendar, isNew, reason }) => told.push([calendar, isNew, reason]),
    onBack: (calendar) => told.push(calendar),
  });
  answer = () => new Response(ical("0501"));
  await calendars.put({ name: "c", url });
  await calendars.refresh("c");
  const heavy = ical("0501").replace("END:VEVENT", "RRULE:FREQ=SECONDLY\nEND:VEVENT");
  answer = () => new Response(heavy);
  await calendars.refresh("c");
  await calendars.refresh("c");
  const reason = expect.stringMatching(/^its text: event 1: RRULE FREQ=SECONDLY repeats too often/);
  expect(await shown(calendars)).toMatchObject({ events: 1, last_error: reason, last_error_code: "invalid" });
  answer = () => new Response(ical("0601"));
  await calendars.refresh("c");
  expect(told).toEqual([["c", true, reason], ["c", false, reason], "c"]);
});

test("a stored text that an earlier version accepted is no event, and the view says why", async () => {
  const { calendars } = make();
  await calendars.put({ name: "c", ical: ical("0501") });
  const row = (await findCalendar(store, "c"))!;
  const heavy = ical("0501").replace("END:VEVENT", "RRULE:FREQ=SECONDLY\nEND:VEVENT");
  await recordReading(store, row, {
    ical: heavy,
    nextAt: 0,
    failures: 0,
    lastError: null,
    lastErrorCode: null,
  });
  expect(await shown(calendars)).toMatchObject({
    events: 0,
    next_events: [],
    last_error_code: "invalid",
    last_error: expect.stringMatching(/its text is refused, and no event is in force: event 1: RRULE/),
  });
  expect((await loadCalendars(store, ["c"])).size).toBe(0);
});

test("events that cannot be read are named in the answers to writes and reads", async () => {
  const { calendars } = make();
  const text = ical("0501").replace(
    "END:VCALENDAR",
    "BEGIN:VEVENT\nSUMMARY:b\nDTSTART:2026\nEND:VEVENT\nEND:VCALENDAR",
  );
  const skipped = {
    skipped: [{ event: 2, summary: "b", reason: "has a date that cannot be" }],
    skipped_events: 1,
  };
  expect(await calendars.put({ name: "c", ical: text })).toEqual(skipped);
  expect(await calendars.patch(["c"], { ical: text })).toEqual(skipped);
  expect(await shown(calendars)).toMatchObject({ events: 1, ...skipped });
  expect(await calendars.patch(["c"], { ical: ical("0501") })).toEqual({});
});

const endless = () =>
  new Response(
    new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536).fill(65)),
    }),
  );

test.each([
  ["an endless body", endless, /sent more than 1048576 bytes/],
  [
    "a redirect",
    () => Response.redirect(`http://127.0.0.1:${web.port}/x`),
    /answered 302, a redirect, which is not followed/,
  ],
  [
    "what is no calendar",
    () => new Response("<html>the inner secret</html>"),
    /its text: must be the text of an iCalendar file/,
  ],
  [
    "an event by the second",
    () =>
      new Response(ical("0501").replace("DATE:20260501", "DATE-TIME:20260501T000000Z\nRRULE:FREQ=SECONDLY")),
    /its text: event 1: RRULE FREQ=SECONDLY repeats too often/,
  ],
  ["not modified, never asked", () => new Response(null, { status: 304 }), /answered 304/],
])("%s is an error that shows neither address nor answer", async (_, respond, message) => {
  answer = respond;
  const { calendars } = make();
  await calendars.put({ name: "c", url });
  await calendars.refresh("c");
  const { last_error, events } = (await shown(calendars)) as { last_error: string; events: number };
  expect(last_error).toMatch(message);
  expect(last_error).not.toMatch(/t0k3n|s3cret|inner/);
  expect(events).toBe(0);
});

test("private addresses are refused where the settings do not allow them", async () => {
  const { calendars } = make({ allowPrivate: false });
  await expect(calendars.put({ name: "c", url })).rejects.toThrow("url: is an address of this machine");
  await make().calendars.put({ name: "c", url });
  await calendars.refresh("c");
  expect(await shown(calendars)).toMatchObject({ last_error: expect.stringContaining("private network") });
  expect(seen).toEqual([]);
});

test("what is due is read by itself, at its time", async () => {
  answer = () => new Response(ical("0501"));
  const { refresh, calendars } = make();
  refresh.start();
  await calendars.put({ name: "c", url, refresh: "5m" });
  await until(async () => (await findCalendar(store, "c"))?.refreshedAt === clock.now());
  for (let minute = 0; minute < 5; minute++) {
    await until(() => clock.pending > 0);
    clock.advance(MINUTE);
  }
  await until(async () => (await findCalendar(store, "c"))?.refreshedAt === clock.now());
  expect(seen).toHaveLength(2);
});

test("a reading that is overtaken by a change of the address is dropped", async () => {
  const { promise, resolve } = Promise.withResolvers<Response>();
  answer = () => promise;
  const { calendars } = make();
  await calendars.put({ name: "c", url });
  const reading = calendars.refresh("c");
  await until(() => seen.length > 0);
  await calendars.put({ name: "c", ical: ical("0701") });
  resolve(new Response(ical("0501")));
  await reading;
  expect(await shown(calendars)).toMatchObject({ ical: ical("0701") });
});

test("two servers that read at once record one reading each time", async () => {
  answer = () => new Response(ical("0501"));
  const [one, two] = [make(), make()];
  await one.calendars.put({ name: "c", url });
  const { revision } = (await findCalendar(store, "c"))!;
  await Promise.all([one.calendars.refresh("c"), two.calendars.refresh("c")]);
  expect((await findCalendar(store, "c"))!.revision).toBe(revision + 1);
});

test("the address as answers show it means the stored one", async () => {
  const { calendars } = make();
  await calendars.put({ name: "c", url });
  const { url: hidden } = (await shown(calendars)) as { url: string };
  await calendars.patch(["c"], { url: hidden, refresh: "10m" });
  await calendars.put({ name: "c", url: hidden });
  expect((await findCalendar(store, "c"))!.settings).toEqual({ name: "c", url });
  expect(await codeOf(calendars.patch(["c"], { verify_ssl: false }))).toBe("invalid");
  await calendars.patch(["c"], { url, verify_ssl: false });
});

/** Waits for what real sockets bring about. */
async function until(isDone: () => boolean | Promise<boolean>): Promise<void> {
  const deadlineAt = Date.now() + 10_000;
  while (!(await isDone())) {
    if (Date.now() > deadlineAt) throw new Error("did not happen");
    await Bun.sleep(2);
  }
}
