// Sentences of silence, failing sources, forecasts and drift, as mails, chats and alerts carry them.
import { expect, test } from "bun:test";
import { eventKinds, isEnd, isStart } from "../../../src/core/anomaly/event.ts";
import { toAlert } from "../../../src/hooks/shared/alert.ts";
import { composeShort, composeText, summarize } from "../../../src/hooks/shared/describe.ts";
import { readValues } from "../../../src/hooks/shared/text.ts";
import { makeDriftEvent, makeForecastEvent, makeSilence, makeSourceEvent } from "../events.ts";

test.each([
  [makeSilence("silence_start"), "No points for 12 min: model m (host=web-1)"],
  [makeSilence("silence_end"), "Points are back after 1 h 12 min: model m (host=web-1)"],
  [makeSilence("silence_start", { tags: {} }), "No points for 12 min: model m"],
  [makeSourceEvent("source_down"), "Data source influx cannot be read for 12 min"],
  [makeSourceEvent("source_up"), "Data source influx can be read again after 1 h 12 min"],
  [makeForecastEvent("forecast_start"), "web-1 total cpu usage_user is forecast to exceed 95 in 5 d 4 h"],
  [
    makeForecastEvent("forecast_end"),
    "web-1 total cpu usage_user is no longer forecast to exceed 95 within 7 d",
  ],
  [
    makeDriftEvent("drift_start"),
    "web-1 total cpu usage_user has changed since the training: 18 % of its points are rare",
  ],
  [makeDriftEvent("drift_end"), "web-1 total cpu usage_user is as in the training again"],
])("the subject of an event: %#", (event, subject) => {
  expect(summarize(event)).toBe(subject);
});

test.each([
  [
    makeSilence("silence_end"),
    "Points are no longer watched, after 1 h 12 min without any: model m (host=web-1)",
  ],
  [makeSourceEvent("source_up"), "Data source influx is no longer watched, after 1 h 12 min of failures"],
  [
    makeForecastEvent("forecast_end"),
    "web-1 total cpu usage_user is no longer watched: it was forecast to exceed 95",
  ],
  [
    makeDriftEvent("drift_end"),
    "web-1 total cpu usage_user is no longer watched: it had changed since the training",
  ],
])("an end with the model, or the series, says nothing of the data: %#", (event, subject) => {
  const closed = { ...event, closedBy: "the model was stopped" };
  expect(summarize(closed)).toBe(subject);
  expect(composeShort(closed, "UTC")).toContain("Closed by: the model was stopped.");
  expect(composeText(closed, "UTC")).toContain("Closed by: the model was stopped.");
});

test("an event of a series names it", () => {
  const series = { host: "db-1" };
  expect(summarize(makeSilence("silence_start", { series, tags: {} }))).toBe(
    "No points for 12 min: model m (host=db-1)",
  );
  const drift = { ...makeDriftEvent("drift_end"), series, features: {} };
  expect(summarize(drift)).toBe("db-1 user is as in the training again");
});

test("the text of a silence names the newest interval, and has no score", () => {
  expect(composeText(makeSilence("silence_start"), "UTC")).toBe(
    `No points for 12 min: model m (host=web-1). The newest interval with points ended 2018-05-16 14:48:20+00:00.

since:    2018-05-16 14:48:20+00:00
model:    m
tags:     host=web-1
severity: warning`,
  );
});

test("the text of a failing source names the error and the bucket, and no model", () => {
  expect(composeText(makeSourceEvent("source_down"), "UTC")).toBe(
    `Data source influx cannot be read for 12 min. The last error: influxdb refuses the connection. \
Models that read it detect nothing until then.

since:    2018-05-16 14:48:20+00:00
bucket:   influx
severity: warning`,
  );
});

test("a chat gets the dates of a forecast", () => {
  expect(composeShort(makeForecastEvent("forecast_start"), "UTC")).toBe(
    `web-1 total cpu usage_user is forecast to exceed 95 in 5 d 4 h
The forecast does so on 2018-05-21 19:48:20+00:00; its 80 % band: 2018-05-20 12:36:20+00:00 to 2018-05-24 15:00:20+00:00.
model m; since 2018-05-16 14:48:20+00:00; tags host=web-1, cpu=total`,
  );
});

test("alerts of each topic have a name of their own, and end with the event that ends them", () => {
  const down = toAlert(makeSourceEvent("source_down"), { timezone: "UTC" });
  expect(down.labels).toEqual({ alertname: "TorusSource", severity: "warning", bucket: "influx" });
  expect(down.endsAt).toBeUndefined();
  const silent = toAlert(makeSilence("silence_end"), { timezone: "UTC" });
  expect(silent.labels).toMatchObject({ alertname: "TorusSilence", model: "m", host: "web-1" });
  expect(silent.endsAt).toBe("2018-05-16T16:00:20.966Z");
  expect(silent.annotations.score).toBeUndefined();
  const full = toAlert(makeForecastEvent("forecast_start"), { timezone: "UTC" });
  expect(full.labels).toMatchObject({ alertname: "TorusForecast", feature: "user", model: "m" });
});

test("templates may use the default texts", () => {
  const values = readValues(makeSilence("silence_start"), "UTC");
  expect(values).toMatchObject({ score: "", "tag.host": "web-1", duration: "" });
  expect(values.description).toStartWith(`${values.summary}. The newest interval`);
});

test("every kind of event starts something, ends something, or is a step of level", () => {
  for (const kind of eventKinds)
    expect(Number(isStart(kind)) + Number(isEnd(kind))).toBe(kind === "level_shift" ? 0 : 1);
});

test("the bound of a forecast has the unit of its feature", () => {
  const event = makeForecastEvent("forecast_start");
  const forecast = { ...event.forecast!, unit: "%" };
  expect(summarize({ ...event, forecast })).toBe(
    "web-1 total cpu usage_user is forecast to exceed 95 % in 5 d 4 h",
  );
});
