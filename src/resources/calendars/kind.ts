// A model kind that reads calendars: holidays that name one get its text, and forecasts do not repeat known events.
import { knownEventsIn } from "../../core/calendar/known-events.ts";
import { fillHolidays } from "../../core/model/calendar-references.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { ForecastInput, ModelKind } from "../../models/kind.ts";
import { countMarks, leaveOut, markIntervals } from "../../models/stats/marks.ts";
import { findCalendarCached, loadCalendars, tryCalendar } from "../../store/calendars.ts";
import type { Store } from "../../store/db/open.ts";

/** The kind, with the texts of the calendars of a store. */
export function withCalendars(kind: ModelKind, store: Store): ModelKind {
  const fill = <I extends { readonly settings: ModelSettings }>(input: I) => fillInput(store, input);
  const { fleet } = kind;
  return {
    ...kind,
    fleet: {
      ...fleet,
      train: async (input, context) => fleet.train(await fill(input), context),
      fit: async (shared, input, context) => fleet.fit(shared, await fill(input), context),
    },
    train: async (input, context) => kind.train(await fill(input), context),
    evaluate: async (model, input, context) => kind.evaluate(model, await fill(input), context),
    forecast: async (model, input, context) =>
      kind.forecast(model, await withoutKnown(store, await fill(input)), context),
  };
}

/** Waits only where a calendar is named; one without a text yet has no days. */
function fillInput<I extends { readonly settings: ModelSettings }>(store: Store, input: I): I | Promise<I> {
  const { holidays } = input.settings;
  if (holidays?.calendar === undefined) return input;
  return findCalendarCached(store, holidays.calendar).then(async (row) => {
    const isRead = row?.ical && (await tryCalendar(row.ical));
    const filled = isRead ? fillHolidays(holidays, row.ical!) : withoutCalendar(holidays);
    return { ...input, settings: { ...input.settings, holidays: filled } };
  });
}

function withoutCalendar<H extends { readonly calendar?: string }>(holidays: H): Omit<H, "calendar"> {
  const { calendar: _, ...rest } = holidays;
  return rest;
}

/** A history without the values of known events, as long as these are less than half of it. */
async function withoutKnown(store: Store, input: ForecastInput): Promise<ForecastInput> {
  const { settings, history } = input;
  const { known_events } = settings;
  if (!known_events) return input;
  const { startAt, intervalMs, length } = history;
  const range = { fromAt: startAt, toAt: startAt + length * intervalMs };
  const events = knownEventsIn(settings, await loadCalendars(store, [known_events.calendar]), range);
  const marks = markIntervals(history, events);
  const count = countMarks(marks);
  if (count === 0 || 2 * count > length) return input;
  const columns = Object.entries(history.columns).map(([name, column]) => [name, leaveOut(column, marks)]);
  return { ...input, history: { ...history, columns: Object.fromEntries(columns) } };
}
