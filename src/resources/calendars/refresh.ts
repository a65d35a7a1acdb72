// Refresh of calendars that have an address: one timer, the text kept where a reading fails, retries with back-off.
import { readingCodeOf } from "../../core/calendar/reading-code.ts";
import { MAX_TEXT, refreshMsOf } from "../../core/calendar/settings.ts";
import { describeError, type ErrorCode, invalid, TorusError } from "../../core/errors.ts";
import { type Ownership, soleOwner } from "../../core/ownership.ts";
import { MINUTE_MS } from "../../core/time/time.ts";
import type { Clock } from "../../runtime/clock.ts";
import { mapConcurrently } from "../../runtime/concurrent.ts";
import {
  type CalendarReading,
  type CalendarRow,
  findCalendar,
  listReadings,
  loadCalendar,
  recordReading,
} from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { readText } from "./check-text.ts";

/** Addresses read at the same time. */
const CONCURRENCY = 4;
/** Delay after the first failure; doubled by each further one, up to the interval of the calendar. */
const FIRST_RETRY_MS = MINUTE_MS;
/** Another node may have changed the calendars, or left its own, meanwhile. */
const LONGEST_WAIT_MS = MINUTE_MS;

/** Between two rounds. */
const SHORTEST_WAIT_MS = 1000;

/** A text with its validators; undefined: the same as before. */
type Fetched = Pick<CalendarRow, "etag" | "lastModified"> & { readonly body: string };

export interface RefreshDeps {
  readonly store: Store;
  /** Calendars that are read here; default: all. */
  readonly ownership?: Ownership;
  readonly clock: Clock;
  /** Reads an address. @throws TorusError without the address in its message */
  readonly download: (
    source: { readonly url: string; readonly verify_ssl: boolean; readonly maxBytes: number } & Pick<
      CalendarRow,
      "etag" | "lastModified"
    >,
    signal: AbortSignal,
  ) => Promise<Fetched | undefined>;
  readonly onError: (error: unknown) => void;
  /** Called for each reading that failed, and text that was refused. */
  readonly onFailure?: (failure: CalendarFailure) => void;
  /** Called for the first reading after a failure. */
  readonly onBack?: (calendar: string) => void;
}

export interface CalendarFailure {
  readonly calendar: string;
  readonly reason: string;
  /** Whether the reading before was none. */
  readonly isNew: boolean;
}

export class CalendarRefresh {
  readonly #controller = new AbortController();
  #clearTimer = () => {};
  #isStarted = false;
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly deps: RefreshDeps) {}

  /** Reads what is due, from now on; a server without it leaves that to others. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Looks for what is due; returns at once. */
  wake(): void {
    if (!this.#isStarted || this.#controller.signal.aborted) return;
    this.#clearTimer();
    this.#running = this.#running.then(() => this.#round());
  }

  async stop(): Promise<void> {
    this.#controller.abort(new TorusError("canceled", "the server is stopping"));
    this.#clearTimer();
    await this.#running;
  }

  /** Reads an address now. @throws TorusError `not_found`, `not_supported` where the calendar has none */
  async readNow(name: string): Promise<void> {
    const row = await loadCalendar(this.deps.store, name);
    if (row.settings.url === undefined)
      throw new TorusError("not_supported", `calendar ${name} has no address: change its text with PATCH`);
    await this.#read(row);
  }

  async #round(): Promise<void> {
    const { store, clock, onError, ownership = soleOwner } = this.deps;
    let waitMs = LONGEST_WAIT_MS;
    try {
      const mine = (await listReadings(store)).filter(({ name }) => ownership.owns(name));
      const due = mine.filter(({ nextAt }) => nextAt <= clock.now());
      await mapConcurrently(due, CONCURRENCY, async ({ name }) => {
        const row = await findCalendar(store, name);
        if (row?.settings.url !== undefined) await this.#read(row);
      });
      const next = (await listReadings(store)).filter(({ name }) => ownership.owns(name));
      const later = next.map(({ nextAt }) => Math.max(SHORTEST_WAIT_MS, nextAt - clock.now()));
      waitMs = Math.min(LONGEST_WAIT_MS, ...later);
    } catch (error) {
      if (!this.#controller.signal.aborted) onError(error);
    }
    if (this.#controller.signal.aborted) return;
    this.#clearTimer = clock.setTimer(() => this.wake(), waitMs);
  }

  /** Reads an address and records the outcome, unless the calendar was written meanwhile. */
  async #read(row: CalendarRow): Promise<void> {
    const { store, clock, download, onError } = this.deps;
    const { signal } = this.#controller;
    const { url, verify_ssl = true } = row.settings;
    const { etag, lastModified } = row.ical === null ? { etag: null, lastModified: null } : row;
    let reading: CalendarReading;
    try {
      const source = { url: url!, verify_ssl, maxBytes: MAX_TEXT, etag, lastModified };
      const fetched = await download(source, signal);
      if (fetched) await readText(fetched.body, signal).catch(refuse);
      reading = succeeded(row, fetched, clock.now());
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TorusError)) onError(error);
      reading = failed(row, describeError(error), clock.now());
    }
    const isRecorded = await recordReading(store, row, reading);
    if (isRecorded) this.#report(row, reading);
  }

  #report({ name, failures }: CalendarRow, { lastError }: CalendarReading): void {
    if (lastError !== null)
      this.deps.onFailure?.({ calendar: name, reason: lastError, isNew: failures === 0 });
    else if (failures > 0) this.deps.onBack?.(name);
  }
}

/** A text that is refused does not take the place of the one before. */
function refuse(error: unknown): never {
  throw error instanceof TorusError && error.code === "invalid" ? invalid("its text", error.message) : error;
}

function succeeded({ settings }: CalendarRow, fetched: Fetched | undefined, at: number): CalendarReading {
  const state = {
    refreshedAt: at,
    nextAt: at + refreshMsOf(settings),
    failures: 0,
    lastError: null,
    lastErrorCode: null,
  };
  if (!fetched) return state;
  const { body: ical, etag, lastModified } = fetched;
  return { ...state, ical, etag, lastModified };
}

function failed(
  { settings, failures }: CalendarRow,
  { message, code }: { readonly message: string; readonly code: ErrorCode },
  at: number,
): CalendarReading {
  const waitMs = Math.min(refreshMsOf(settings), FIRST_RETRY_MS * 2 ** Math.min(failures, 16));
  return {
    nextAt: at + waitMs,
    failures: failures + 1,
    lastError: message,
    lastErrorCode: readingCodeOf(code),
  };
}
