// Model kind with calendars: what a kind sees of settings that name one.
import { afterEach, beforeEach, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type {
  Context,
  EvaluateInput,
  ForecastInput,
  ModelKind,
  TrainedModel,
} from "../../../src/models/kind.ts";
import { withCalendars } from "../../../src/resources/calendars/kind.ts";
import { putCalendar } from "../../../src/store/calendars.ts";
import { openTemporary } from "../../store/temporary.ts";
import { aModel } from "../../support/builders.ts";

const DAY_MS = 86_400_000;
const ical = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nDTSTART;VALUE=DATE:20260102\nEND:VEVENT\nEND:VCALENDAR\n";
const grid = {
  startAt: Date.UTC(2026, 0, 1),
  intervalMs: DAY_MS,
  length: 3,
  columns: { f: Float64Array.of(1, 2, 3) },
};
let store: ReturnType<typeof openTemporary>;
beforeEach(() => {
  store = openTemporary();
});
afterEach(() => store.remove());

/** A kind that keeps its last input. */
function recordInputs() {
  const seen: (EvaluateInput | ForecastInput)[] = [];
  const record = async (_: unknown, input: EvaluateInput | ForecastInput) => void seen.push(input);
  const own = { fleet: {}, evaluate: record, forecast: record };
  const kind = withCalendars(own as unknown as ModelKind, store);
  const [model, context] = [{} as TrainedModel, {} as Context];
  const settings = (own: Partial<ModelSettings>) => aModel(own) as ModelSettings;
  return {
    evaluate: async (own: Partial<ModelSettings>) => {
      await kind.evaluate(model, { settings: settings(own), grid }, context);
      return seen.at(-1) as EvaluateInput;
    },
    forecast: async (own: Partial<ModelSettings>) => {
      const input = { settings: settings(own), history: grid, horizon: 1, level: 0.8, levels: [] };
      await kind.forecast(model, input, context);
      return seen.at(-1) as ForecastInput;
    },
  };
}

const put = (text: string | null) =>
  putCalendar(store, "c", { at: 1, change: () => ({ settings: { name: "c" }, ical: text }) });

test("holidays have the text of the calendar, the same object while it is the same", async () => {
  await put(ical);
  const { evaluate } = recordInputs();
  const holidays = { country: "DE", calendar: "c" };
  const first = await evaluate({ holidays });
  expect(first.settings.holidays).toEqual({ country: "DE", ical });
  expect((await evaluate({ holidays })).settings.holidays).toBe(first.settings.holidays!);
  await put(ical.replace("0102", "0103"));
  expect((await evaluate({ holidays })).settings.holidays).toMatchObject({
    ical: ical.replace("0102", "0103"),
  });
});

test("a calendar without a text yet has no days", async () => {
  await put(null);
  expect((await recordInputs().evaluate({ holidays: { calendar: "c" } })).settings.holidays).toEqual({});
});

test("settings without a calendar stay as they are", async () => {
  const holidays = { country: "DE" };
  expect((await recordInputs().evaluate({ holidays })).settings.holidays).toBe(holidays);
});

test("a forecast does not see the values of known events", async () => {
  await put(ical);
  const { history } = await recordInputs().forecast({ known_events: { calendar: "c" } });
  expect([...history.columns.f!]).toEqual([1, Number.NaN, 3]);
});

test("unless they are most of its history", async () => {
  await put(ical.replace("UID:1", "UID:1\nDURATION:P3D"));
  const { history } = await recordInputs().forecast({ known_events: { calendar: "c" } });
  expect([...history.columns.f!]).toEqual([1, 2, 3]);
});
