// SQL of calendars: settings with the address sealed, and the text read last; refreshes are guarded by a revision.
import { and, asc, eq, isNotNull, sql } from "drizzle-orm";
import { type Calendar, type Calendars, noCalendars, readCalendar } from "../core/calendar/calendar.ts";
import { TorusError } from "../core/errors.ts";
import { calendarPaths, noCalendar } from "../core/model/calendar-references.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { finishInSteps } from "../runtime/steps.ts";
import { type Deletion, moveToBin, trimBin } from "./bin/move.ts";
import { readCached } from "./db/cached-query.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Db } from "./db/database.ts";
import type { Store } from "./db/open.ts";
import { calendars, models } from "./db/schema.ts";
import { announce, read, type Tx, write } from "./db/transaction.ts";
import type { Place } from "./secrets/seal.ts";

/** `settings` includes the address. */
export type CalendarRow = typeof calendars.$inferSelect;

/** What a write sets; the rest stays. */
export type CalendarContent = Partial<Omit<CalendarRow, "name" | "createdAt" | "revision">> &
  Pick<CalendarRow, "settings">;

/** All calendars, by name. */
export function listCalendars(store: Store): Promise<CalendarRow[]> {
  return read(store, async (db) => {
    const rows = await db.select().from(calendars).orderBy(asc(calendars.name)).all();
    return rows.map((row) => openRow(store, row));
  });
}

/** When the address of each calendar that has one is to be read next. */
export function listReadings(store: Store): Promise<{ readonly name: string; readonly nextAt: number }[]> {
  const { name, nextAt } = calendars;
  return read(store, async (db) => {
    const rows = await db.select({ name, nextAt }).from(calendars).where(isNotNull(nextAt)).all();
    return rows.flatMap((row) => (row.nextAt === null ? [] : [{ name: row.name, nextAt: row.nextAt }]));
  });
}

/** @throws TorusError `not_found` */
export async function loadCalendar(store: Store, name: string): Promise<CalendarRow> {
  return (await findCalendar(store, name)) ?? failUnknown(name);
}

/** @returns undefined where there is none */
export function findCalendar(store: Store, name: string): Promise<CalendarRow | undefined> {
  return read(store, (db) => selectOpen(db, store, name));
}

/** As `findCalendar`, from memory: what another node has changed a moment ago may be missing. */
export function findCalendarCached(store: Store, name: string): Promise<CalendarRow | undefined> {
  return readCached(store, { kind: "calendar", key: name, read: (db) => selectOpen(db, store, name) });
}

async function selectOpen(db: Db, store: Store, name: string): Promise<CalendarRow | undefined> {
  const row = await db.select().from(calendars).where(eq(calendars.name, name)).get();
  return row && openRow(store, row);
}

/** Calendars that have a text that can be read, parsed with pauses for others; the others are missing. */
export async function loadCalendars(store: Store, names: readonly string[]): Promise<Calendars> {
  if (names.length === 0) return noCalendars;
  const found = new Map<string, Calendar>();
  for (const name of names) {
    const ical = (await findCalendarCached(store, name))?.ical;
    const calendar = ical ? await tryCalendar(ical) : undefined;
    if (calendar) found.set(name, calendar);
  }
  return found;
}

const never = new AbortController().signal;

/** Undefined for a text that is refused, which an earlier version accepted; the view of the calendar says so. */
export async function tryCalendar(text: string): Promise<Calendar | undefined> {
  return finishInSteps(readCalendar(text), never).catch((error: unknown) => {
    if (error instanceof TorusError) return undefined;
    throw error;
  });
}

/**
 * Creates or replaces a calendar.
 * @param change gets the old row and returns the new content; a throw undoes everything
 * @throws TorusError `invalid` beyond the cap
 */
export function putCalendar(
  store: Store,
  name: string,
  { at, change }: { at: number; change: (old: CalendarRow | undefined) => CalendarContent },
): Promise<void> {
  return write(store, async (tx) => {
    const old = await selectCalendar(tx, name);
    const content = change(old && openRow(store, old));
    const settings = store.vault.seal(placeOf({ name }), content.settings);
    if (old) return updateRow(tx, old, { ...content, settings, updatedAt: at });
    await assertBelowCap(tx, caps.calendars);
    await tx
      .insert(calendars)
      .values({ createdAt: at, updatedAt: at, ...content, name, settings })
      .run();
    announce(tx, { type: "calendar", calendar: name, step: "created" });
  });
}

/**
 * Changes calendars, all or none.
 * @param change gets the row and returns its new content; a throw undoes everything
 * @throws TorusError `not_found` naming the first unknown one
 */
export function patchCalendars(
  store: Store,
  names: readonly string[],
  { at, change }: { at: number; change: (row: CalendarRow) => CalendarContent },
): Promise<void> {
  return write(store, async (tx) => {
    for (const name of names) {
      const row = await requireCalendar(tx, name);
      const content = change(openRow(store, row));
      const settings = store.vault.seal(placeOf(row), content.settings);
      await updateRow(tx, row, { ...content, settings, updatedAt: at });
    }
  });
}

async function updateRow(tx: Tx, row: CalendarRow, content: Partial<CalendarRow>): Promise<void> {
  const next = { ...content, revision: row.revision + 1 };
  await tx.update(calendars).set(next).where(eq(calendars.name, row.name)).run();
  announce(tx, { type: "calendar", calendar: row.name, step: "changed" });
}

/** Outcome of a reading of an address. */
export type CalendarReading = Pick<CalendarRow, "nextAt" | "failures" | "lastError" | "lastErrorCode"> &
  Partial<Pick<CalendarRow, "refreshedAt" | "ical" | "etag" | "lastModified">>;

/**
 * Records a reading, unless the calendar was written since: another server may have read it, or a client changed it.
 * @param row that the reading was based on
 * @returns whether it was recorded
 */
export function recordReading(
  store: Store,
  row: Pick<CalendarRow, "name" | "createdAt" | "revision" | "ical" | "failures">,
  reading: CalendarReading,
): Promise<boolean> {
  return write(
    store,
    async (tx) => {
      const { name, createdAt, revision } = row;
      const isSame = and(
        eq(calendars.name, name),
        eq(calendars.createdAt, createdAt),
        eq(calendars.revision, revision),
      );
      const found = await tx.select({ name: calendars.name }).from(calendars).where(isSame).get();
      if (!found) return false;
      await tx
        .update(calendars)
        .set({ ...reading, revision: revision + 1 })
        .where(isSame)
        .run();
      const isNew = reading.ical !== undefined && reading.ical !== row.ical;
      if (isNew) announce(tx, { type: "calendar", calendar: name, step: "changed" });
      const { lastError: error } = reading;
      if (error !== null && row.failures === 0)
        announce(tx, { type: "calendar", calendar: name, step: "failing", error });
      if (error === null && row.failures > 0)
        announce(tx, { type: "calendar", calendar: name, step: "back" });
      return true;
    },
    { changes: ["calendars"] },
  );
}

/**
 * Deletes calendars, all or none.
 * @param deletion absent: for good
 * @returns entries of the bin
 * @throws TorusError `not_found`, `calendar_in_use` naming a model
 */
export function removeCalendars(
  store: Store,
  names: readonly string[],
  deletion?: Deletion,
): Promise<string[]> {
  return write(store, async (tx) => {
    const binned: string[] = [];
    for (const name of new Set(names)) {
      const row = await requireCalendar(tx, name);
      const users = await listUsers(tx, name);
      if (users.length > 0) throw inUse(name, users);
      const rows = [["calendars", row]] as const;
      if (deletion) binned.push(await moveToBin(tx, { kind: "calendar", name, rows }, deletion));
      await tx.delete(calendars).where(eq(calendars.name, name)).run();
      announce(tx, { type: "calendar", calendar: name, step: "deleted" });
    }
    if (deletion) await trimBin(tx);
    return binned;
  });
}

function inUse(name: string, users: readonly string[]): TorusError {
  const shown = users.slice(0, 3).join(", ");
  const more = users.length > 3 ? ` and ${users.length - 3} more` : "";
  return new TorusError(
    "calendar_in_use",
    `calendar ${name} is used by ${users.length === 1 ? "model" : "models"} ${shown}${more}: remove it from mute, holidays and known_events there first`,
  );
}

/** Models whose settings name a calendar. */
async function listUsers(tx: Pick<Tx, "select">, calendar: string): Promise<string[]> {
  const { name, settings } = models;
  // The text narrows the search, as a calendar's name may also be that of something else.
  const rows = await tx
    .select({ name, settings })
    .from(models)
    .where(sql`cast(${settings} as text) like ${`%"calendar"%`}`)
    .orderBy(asc(name))
    .all();
  return rows
    .filter((row) => [...calendarPaths(row.settings).values()].includes(calendar))
    .map((row) => row.name);
}

/**
 * Refuses settings of a model that name a calendar that is not there.
 * @throws TorusError `invalid` naming setting and calendar
 */
export async function assertCalendars(tx: Pick<Tx, "select">, settings: ModelSettings): Promise<void> {
  for (const [path, name] of calendarPaths(settings))
    if (!(await selectCalendar(tx, name))) throw noCalendar(path, name);
}

function selectCalendar(tx: Pick<Tx, "select">, name: string): Promise<CalendarRow | undefined> {
  return tx.select().from(calendars).where(eq(calendars.name, name)).get();
}

async function requireCalendar(tx: Pick<Tx, "select">, name: string): Promise<CalendarRow> {
  return (await selectCalendar(tx, name)) ?? failUnknown(name);
}

function placeOf({ name }: Pick<CalendarRow, "name">): Place {
  return { table: "calendars", row: [name] };
}

function openRow({ vault }: Store, row: CalendarRow): CalendarRow {
  return { ...row, settings: vault.open(placeOf(row), row.settings) };
}

function failUnknown(name: string): never {
  throw new TorusError("not_found", `calendar ${name} does not exist`);
}
