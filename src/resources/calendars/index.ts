// Calendars: named iCalendar texts, given by clients or read from an address, that models refer to.
import type { SkippedEventsView } from "../../api/calendars/index.ts";
import {
  type CalendarSettings,
  checkCalendar,
  hideUrl,
  keepUrl,
  MAX_TEXT,
  mergeCalendar,
} from "../../core/calendar/settings.ts";
import { etagOf, type IfMatch } from "../../core/input/etag.ts";
import { isRecord } from "../../core/input/json.ts";
import { Listed } from "../../core/input/listed.ts";
import { listViews, pickFields } from "../../core/input/listing.ts";
import type { Allowances } from "../../hooks/kind.ts";
import {
  type CalendarContent,
  type CalendarRow,
  findCalendar,
  listCalendars,
  loadCalendar,
  patchCalendars,
  putCalendar,
  removeCalendars,
} from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";
import { type BinDeps, type Deleter, deletionOf } from "../shared/deletion.ts";
import type { Params } from "../shared/range.ts";
import { checkContent, checkText, tryText } from "./check-text.ts";
import type { CalendarRefresh } from "./refresh.ts";
import { viewCalendar, viewSkipped } from "./view.ts";

interface CalendarDeps extends BinDeps {
  readonly store: Store;
  /** IANA name, of whole days in `next_events`. */
  readonly timezone: () => string;
  /** Limits of the settings on addresses. */
  readonly allowed: Allowances;
  readonly refresh: Pick<CalendarRefresh, "wake" | "readNow">;
}

export class Calendars {
  constructor(private readonly deps: CalendarDeps) {}

  /** All calendars, without their texts and addresses. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<Listed> {
    const rows = await listCalendars(this.deps.store);
    const views: object[] = [];
    for (const row of rows) {
      const { ical: _, ...view } = await this.#view(row);
      views.push(view);
    }
    return listViews(views, params, { defaultSort: "name" });
  }

  /**
   * One view per name, in their order; a single one with its entity tag.
   * @throws TorusError `not_found` naming the first unknown one
   */
  async get(names: readonly string[], params: Params = {}): Promise<Listed> {
    const rows: CalendarRow[] = [];
    for (const name of names) rows.push(await loadCalendar(this.deps.store, name));
    const views: object[] = [];
    for (const row of rows) views.push(await this.#view(row));
    const etag = rows.length === 1 ? etagOfCalendar(rows[0]!) : undefined;
    return new Listed(pickFields(views, params), { etag });
  }

  /**
   * Creates or replaces a calendar; an address is read at once, and what was read from it before stays in force.
   * @returns events of the text that are left out
   * @throws TorusError `invalid`
   */
  async put(body: unknown): Promise<SkippedEventsView> {
    const { store, clock } = this.deps;
    await prepare(body);
    const name = isRecord(body) ? body.name : undefined;
    const old = typeof name === "string" ? await findCalendar(store, name) : undefined;
    const settings = this.check(keepUrl(old?.settings, body));
    const at = clock.now();
    await putCalendar(store, settings.name, { at, change: (row) => toContent(settings, row, at) });
    this.deps.refresh.wake();
    return skippedOf(settings);
  }

  /**
   * Merges a part into the settings of each, all or none.
   * @returns events of a new text that are left out
   * @throws TorusError `not_found`, `invalid`, `precondition_failed`
   */
  async patch(names: readonly string[], body: unknown, ifMatch?: IfMatch): Promise<SkippedEventsView> {
    const { store, clock } = this.deps;
    await prepare(body);
    const at = clock.now();
    const change = (row: CalendarRow) => {
      ifMatch?.check(etagOfCalendar(row));
      const { settings, ical } = row;
      const old = settings.url === undefined && ical !== null ? { ...settings, ical } : settings;
      return toContent(this.#checked(mergeCalendar(old, body)), row, at);
    };
    await patchCalendars(store, names, { at, change });
    this.deps.refresh.wake();
    return skippedOf(isRecord(body) ? body : {});
  }

  /**
   * Deletes calendars, all or none.
   * @returns entries of the bin
   * @throws TorusError `not_found`, `calendar_in_use` naming models
   */
  remove(names: readonly string[], deleter: Deleter = {}): Promise<string[]> {
    return removeCalendars(this.deps.store, names, deletionOf(this.deps, deleter));
  }

  /**
   * Reads the address now, and answers what came of it: a failure is `last_error` of the view.
   * @throws TorusError `not_found`, `not_supported` without an address
   */
  async refresh(name: string): Promise<object> {
    await this.deps.refresh.readNow(name);
    return this.#view(await loadCalendar(this.deps.store, name));
  }

  /** Checks settings, their text and the reach of their address. @throws TorusError `invalid` */
  check(body: unknown): CalendarSettings {
    return this.#checked(checkCalendar(body));
  }

  #checked(settings: CalendarSettings): CalendarSettings {
    checkContent(settings, this.deps.allowed);
    return settings;
  }

  #view(row: CalendarRow) {
    return viewCalendar(row, { at: this.deps.clock.now(), timezone: this.deps.timezone() });
  }
}

/** Parses the text of a body with pauses for others; what is wrong with it is said when it is checked. */
async function prepare(body: unknown): Promise<void> {
  if (isRecord(body) && typeof body.ical === "string" && body.ical.length <= MAX_TEXT)
    await tryText(body.ical);
}

function skippedOf({ ical }: { readonly ical?: unknown }): SkippedEventsView {
  return typeof ical === "string" ? viewSkipped(checkText(ical)) : {};
}

/** What an address gave is kept while the address stays. */
function toContent(
  { ical, ...settings }: CalendarSettings,
  old: CalendarRow | undefined,
  at: number,
): CalendarContent {
  const source = {
    refreshedAt: null,
    failures: 0,
    lastError: null,
    lastErrorCode: null,
    etag: null,
    lastModified: null,
  };
  if (settings.url === undefined) return { ...source, settings, nextAt: null, ical: ical ?? null };
  if (old && old.settings.url === settings.url) return { settings, nextAt: at };
  return { ...source, settings, nextAt: at, ical: null };
}

/** The address is left out of the digest, as it could be used to guess it; the time of the change stands for it. */
function etagOfCalendar({ updatedAt, settings, ical }: CalendarRow): string {
  const { url, ...shown } = settings;
  return etagOf([updatedAt, shown, url === undefined ? ical : hideUrl(url)]);
}
