// SQL of calendars: sealed addresses, references of models, guarded readings, announced changes.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { secretsOf } from "../../src/app/security.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import {
  assertCalendars,
  findCalendar,
  listReadings,
  loadCalendars,
  patchCalendars,
  putCalendar,
  recordReading,
  removeCalendars,
} from "../../src/store/calendars.ts";
import { openStore } from "../../src/store/db/open.ts";
import { read } from "../../src/store/db/transaction.ts";
import { createModel, patchModels } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { codeOf, openTemporary } from "./temporary.ts";

const url = "https://calendar.example.com/private-t0k3n/basic.ics";
const ical = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260101\nEND:VEVENT\nEND:VCALENDAR\n";
const settings = { name: "c", url };

test("the address is sealed in the database, and opens after a restart", async () => {
  const dir = temporaryFolder();
  const open = () => openStore({ dir, sealing: { secretsOf } });
  let store = open();
  await putCalendar(store, "c", { at: 1, change: () => ({ settings, ical, nextAt: 5 }) });
  await store.close();
  const database = new Database(join(dir, "torus.db"), { readonly: true });
  const { text } = database.query("select settings as text from calendars").get() as { text: string };
  database.close();
  expect(JSON.parse(text)).toEqual({ name: "c", url: expect.stringMatching(/^sealed:1:/) });
  store = open();
  expect(await findCalendar(store, "c")).toMatchObject({ settings, ical });
  expect(await listReadings(store)).toEqual([{ name: "c", nextAt: 5 }]);
  await store.close();
});

test("changes are announced, failures of an address once", async () => {
  await using store = disposable();
  const steps: string[] = [];
  store.changes.subscribe((change) => {
    if (change.type === "calendar") steps.push(`${change.calendar} ${change.step}`);
  });
  await putCalendar(store, "c", { at: 1, change: () => ({ settings, nextAt: 1 }) });
  const failed = { nextAt: 2, lastError: "no answer", lastErrorCode: "unreachable" as const };
  for (const failures of [1, 2])
    await recordReading(store, (await findCalendar(store, "c"))!, { ...failed, failures });
  const good = { nextAt: 3, lastError: null, lastErrorCode: null, failures: 0, refreshedAt: 3, ical };
  for (let i = 0; i < 2; i++) await recordReading(store, (await findCalendar(store, "c"))!, good);
  await patchCalendars(store, ["c"], { at: 4, change: (row) => ({ settings: row.settings }) });
  await removeCalendars(store, ["c"]);
  expect(steps).toEqual(["c created", "c failing", "c changed", "c back", "c changed", "c deleted"]);
});

test("models hold the calendars they name", async () => {
  await using store = disposable();
  for (const name of ["c", "d"])
    await putCalendar(store, name, { at: 1, change: () => ({ settings: { name }, ical }) });
  const model = (name: string, own: Partial<ModelSettings>) =>
    createModel(store, { name, settings: aModel({ name, ...own }) as ModelSettings }, 1);
  expect(await codeOf(model("m", { known_events: { calendar: "x" } }))).toBe("invalid");
  await model("a", { holidays: { calendar: "c" } });
  await model("b", { mute: [{ calendar: "c" }, { calendar: "d" }] });
  await expect(removeCalendars(store, ["d", "c"])).rejects.toThrow("calendar d is used by model b:");
  await expect(removeCalendars(store, ["c"])).rejects.toThrow("used by models a, b:");
  await patchModels(store, ["b"], { at: 2, change: ({ mute: _, ...rest }) => rest });
  await removeCalendars(store, ["d"]);
  const missing = { mute: [{ calendar: "d" }] } as ModelSettings;
  await expect(read(store, (db) => assertCalendars(db, missing))).rejects.toThrow(
    "mute.0.calendar: there is no",
  );
});

test("calendars without a text are missing", async () => {
  await using store = disposable();
  await putCalendar(store, "c", { at: 1, change: () => ({ settings, nextAt: 1 }) });
  expect([...(await loadCalendars(store, ["c", "x"])).keys()]).toEqual([]);
});

function disposable() {
  const store = openTemporary();
  return Object.assign(store, { [Symbol.asyncDispose]: async () => store.remove() });
}
