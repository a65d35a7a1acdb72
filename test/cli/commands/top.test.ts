// Command top: states of models, frames at every width, keys.
import { describe, expect, test } from "bun:test";
import type { AnomalyView } from "../../../src/api/anomaly.ts";
import type { Model } from "../../../src/cli/client/views.ts";
import { toRows } from "../../../src/cli/output/top-rows.ts";
import { renderScreen, renderSpark } from "../../../src/cli/output/top-screen.ts";
import { timesIn } from "../../../src/cli/terminal/times.ts";
import { run } from "../fake-terminal.ts";

const at = Date.UTC(2026, 0, 31, 12) / 1000;
const trained = { trained: true, bucket_interval: 60, thresholds: { max: 84.66, min: 40 } };
const evaluation = (i: number, score: number | null, outcome = "ok") => ({
  window: at - i * 60,
  timestamp: at - i * 60 + 5,
  outcome,
  score,
});
const calm = { started: at - 3600, last_window: at, lag: 10, failures: 0 };

const models = [
  { settings: { name: "idle" }, state: trained },
  { settings: { name: "fresh" }, state: { trained: false } },
  { settings: { name: "broken" }, state: { trained: false }, training: { state: "failed" } },
  { settings: { name: "training" }, state: { trained: false }, training: { state: "running" } },
  {
    settings: { name: "young" },
    state: { trained: false },
    live: {
      ...calm,
      learning: { points: 12, needed: 30 },
      evaluations: [evaluation(0, null, "learning")],
    },
  },
  {
    settings: { name: "calm" },
    state: trained,
    live: { ...calm, evaluations: [evaluation(0, 12), evaluation(1, 99)] },
  },
  { settings: { name: "busy" }, state: trained, live: { ...calm, evaluations: [evaluation(0, 50)] } },
  {
    settings: { name: "late" },
    state: trained,
    live: { ...calm, lag: 600, evaluations: [evaluation(9, 3)] },
  },
  {
    settings: { name: "silent" },
    state: trained,
    live: {
      ...calm,
      evaluations: [evaluation(0, null, "no_data"), evaluation(1, null, "no_data"), evaluation(2, 5)],
    },
  },
  {
    settings: { name: "failing" },
    state: trained,
    live: { ...calm, failures: 2, last_error: { message: "refused", timestamp: at } },
  },
  {
    settings: { name: "odd" },
    state: trained,
    live: {
      ...calm,
      anomaly: {
        start: at - 300,
        score: 97,
        features: { user: { observed: 93.4, predicted: 10, lower: 8, upper: 12, unit: "%" } },
      },
      evaluations: [evaluation(0, 97)],
    },
  },
] as unknown as Model[];

test("rows have the worst state first, then the highest score", () => {
  expect(toRows(models).map(({ model, state, since }) => [model, state, since])).toEqual([
    ["odd", "anomaly", at - 300],
    ["failing", "failing", at],
    ["silent", "no data", at - 60],
    ["late", "late", at],
    ["broken", "untrained", null],
    ["fresh", "untrained", null],
    ["young", "learning", at - 3600],
    ["training", "training", null],
    ["busy", "live", at - 3600],
    ["calm", "live", at - 3600],
    ["idle", "stopped", null],
  ]);
});

test("a live fleet is as bad as its worst series", () => {
  const calm = models.find(({ settings }) => settings.name === "calm")!;
  const withSeries = (anomalous: number) =>
    ({ ...calm, state: { ...calm.state, series: { anomalous } } }) as unknown as Model;
  expect(toRows([withSeries(3)])).toMatchObject([{ state: "anomaly", remark: "3 series" }]);
  expect(toRows([withSeries(0)])).toMatchObject([{ state: "live" }]);
});

test("the newest anomaly of each model is known; a live model in training is in training", () => {
  const anomalies = [
    { model: "calm", start: at - 7200, end: at - 7000, peak_score: 80 },
    { model: "calm", start: at - 600, end: at - 300, peak_score: 91 },
    { model: "gone", start: at, end: null, peak_score: 99 },
  ] as unknown as AnomalyView[];
  const live = { ...models[5]!, training: { state: "running" } } as unknown as Model;
  const [row] = toRows([live], anomalies);
  expect(row).toMatchObject({
    state: "training",
    last_anomaly: { start: at - 600, end: at - 300, peak_score: 91 },
  });
  const screen = { columns: 130, colour: false, times: timesIn("UTC"), offset: 0, title: "" };
  expect(renderScreen([row!], screen)).toMatch(/training .* anomaly 2026-01-31 11:50:00$/);
  expect(renderScreen(toRows([models[0]!]), screen)).toMatch(/\nidle +stopped/);
});

test("a spark line has the newest scores at its right", () => {
  expect(renderSpark([0, 50, null, 100], 6)).toBe("  ▁▅·█");
  expect(renderSpark([0, 0, 99], 2)).toBe("▁█");
});

describe("a frame", () => {
  const draw = (columns: number, more = {}) =>
    renderScreen(toRows(models), {
      ...{ columns, colour: false, times: timesIn("UTC"), offset: 0, title: "12:00:00" },
      ...more,
    }).split("\n");

  test("says how many are in which state, and all of each", () => {
    const lines = draw(130);
    expect(lines[0]).toStartWith(
      "11 models: 1 anomaly, 1 failing, 1 no data, 1 late, 2 untrained, 1 learning, 1 training, 2 live",
    );
    expect(lines[1]).toMatch(/^MODEL +STATE +SCORE +LIMIT +LAST SCORES +SINCE \(UTC\)$/);
    expect(lines[2]).toMatch(/^odd +anomaly +97\.0 +84\.7 +█ +2026-01-31 11:55:00 +user 93\.4 %, not 10 %$/);
    expect(lines[8]).toMatch(/^young +learning .* 12 of 30 points$/);
    expect(lines[11]).toMatch(/^calm +live +12\.0 +84\.7 +█▁ /);
    expect(lines).toHaveLength(13);
  });

  test.each([20, 40, 64, 80, 100, 200])("fits %p columns", (columns) => {
    for (const line of draw(columns)) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns);
  });

  test("has as many rows as the screen, from the offset on", () => {
    expect(draw(80, { lines: 5, offset: 2 }).map((line) => line.split(" ")[0])).toEqual([
      ...["11", "MODEL", "silent", "late", "broken"],
    ]);
  });

  test("is coloured only where it may be", () => {
    expect(draw(80).join("")).not.toContain("\x1b");
    expect(draw(80, { colour: true })[2]).toStartWith("\x1b[31m");
  });
});

describe("the command", () => {
  function startModels() {
    return Bun.serve({ port: 0, fetch: () => Response.json(models) });
  }

  test("prints one frame where there is no terminal, or with --once", async () => {
    const server = startModels();
    const env = { TORUS_ADDR: server.url.href };
    const { code, out } = await run("top", { env });
    expect(code).toBe(0);
    expect(out).toMatch(/^11 models: 1 anomaly[\s\S]*^odd +anomaly /m);
    expect(out).not.toContain("\x1b");
    expect((await run("top --once", { env, isTty: true })).out).not.toContain("\x1b[?1049h");
    expect(JSON.parse((await run("top --json", { env })).out)[0]).toMatchObject({ model: "odd", score: 97 });
    await server.stop(true);
  });

  test("draws until q; arrows scroll", async () => {
    const server = startModels();
    const pressed = Promise.withResolvers<(key: string) => void>();
    let frames = "";
    const ended = run("top", {
      env: { TORUS_ADDR: server.url.href, NO_COLOR: "1" },
      isTty: true,
      size: { columns: 80, rows: 6 },
      onKeys: pressed.resolve,
      onWrite: (text) => {
        frames = text;
      },
    });
    const press = await pressed.promise;
    while (!frames.includes("odd")) await Bun.sleep(5);
    press("\x1b[B");
    expect(frames).not.toContain("odd");
    expect(frames).toContain("failing");
    press("\x1b[A");
    expect(frames).toContain("odd");
    press("q");
    const { code, out } = await ended;
    expect(code).toBe(0);
    expect(out).toStartWith("\x1b[?1049h");
    expect(out).toEndWith("\x1b[?25h\x1b[?1049l");
    await server.stop(true);
  });

  test("waits for a server that is away", async () => {
    const pressed = Promise.withResolvers<(key: string) => void>();
    let last = "";
    const ended = run("top", {
      env: { TORUS_ADDR: "http://127.0.0.1:1" },
      isTty: true,
      onKeys: pressed.resolve,
      onWrite: (text) => {
        last = text;
      },
    });
    const press = await pressed.promise;
    while (!last.includes("connection refused")) await Bun.sleep(5);
    press("\x03");
    expect((await ended).code).toBe(0);
  });
});

test("a silent model and bounds ahead", () => {
  const used = { feature: "used", type: "high", threshold: 95, made: at, first: at + 5.125 * 86_400 };
  const live = (name: string, own: object) => ({
    settings: { name },
    state: trained,
    live: { ...calm, ...own },
  });
  const forecasts = [
    { ...used, active: true },
    { ...used, type: "low", threshold: 5, active: false },
  ];
  const series = { new: 0, watched: 0, anomalous: 0, silent: 3 };
  const rows = toRows([
    live("disk", { forecasts }),
    live("gone", { silence: { since: at - 600 } }),
    { ...live("hosts", {}), state: { ...trained, series } },
    { ...live("racks", {}), state: { ...trained, series: { ...series, watched: 1 } } },
  ] as unknown as Model[]);
  expect(rows.map(({ model, state, since, remark }) => [model, state, since, remark])).toEqual([
    ["gone", "no data", at - 600, "silent"],
    ["hosts", "no data", null, "3 series silent"],
    ["disk", "live", at - 3600, "used above 95 in 5 d 3 h"],
    ["racks", "live", at - 3600, "3 series silent"],
  ]);
});
