// Benchmark: the dashboard in a browser: first paint and rows, a year of minutes, zoom, events, cost to the server.
import type { Browser, CDPSession, Page } from "playwright-core";
import { soakPage } from "../soak/page.ts";
import { launchBrowser } from "../support/browser.ts";
import { aModel } from "../support/builders.ts";
import { temporaryFolder } from "../support/folder.ts";
import { type ServerProcess, startServer } from "../support/server-process.ts";
import { clientOf, makeWorld } from "./live-world.ts";
import { type Part, type Row, runAlone } from "./part.ts";
import { readUsage } from "./process.ts";

const MODELS = 200;
const LOADS = 5;
const ZOOMS = 20;
const MINUTES_OF_YEAR = 525_600;
const LINES_PER_WRITE = 50_000;
const EVENTS_PER_S = 50;
/** Ten minutes at this rate are more events than a busy hour. */
const EVENTS_S = Number(process.env.TORUS_BENCH_EVENTS_S ?? 600);
const IDLE_MS = 60_000;
const MIB = 1024 * 1024;

interface Opened {
  readonly page: Page;
  readonly cdp: CDPSession;
}

async function open(browser: Browser, address: string): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, timezoneId: "UTC" });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Performance.enable");
  await page.goto(address, { waitUntil: "commit" });
  return { page, cdp };
}

async function metricsOf(cdp: CDPSession): Promise<Readonly<Record<string, number>>> {
  const { metrics } = await cdp.send("Performance.getMetrics");
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]));
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** Milliseconds from the start of the navigation until the selector matches, at the next frame. */
function untilShown(page: Page, selector: string): Promise<number> {
  const find = `new Promise((done) => {
    const look = () =>
      document.querySelector(${JSON.stringify(selector)}) ? done(performance.now()) : requestAnimationFrame(look);
    look();
  })`;
  return page.evaluate(find);
}

async function measureList(browser: Browser, url: string): Promise<Row[]> {
  const loads: {
    readonly paint: number;
    readonly rows: number;
    readonly cpu: number;
    readonly heap: number;
  }[] = [];
  for (let i = 0; i < LOADS; i++) {
    const { page, cdp } = await open(browser, `${url}/ui/`);
    const rows = await untilShown(page, "table.models tbody tr");
    const paint = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN",
    );
    const { TaskDuration = 0, JSHeapUsedSize = 0 } = await metricsOf(cdp);
    loads.push({ paint, rows, cpu: TaskDuration * 1000, heap: JSHeapUsedSize / MIB });
    await page.context().close();
  }
  const of = (key: "paint" | "rows" | "cpu" | "heap") => median(loads.map((load) => load[key]));
  return [
    { measure: `list of ${MODELS}: first paint`, value: of("paint"), unit: "ms" },
    { measure: `list of ${MODELS}: rows`, value: of("rows"), unit: "ms" },
    { measure: "of that, main thread", value: of("cpu"), unit: "ms CPU" },
    { measure: "heap of the list", value: of("heap"), unit: "MiB" },
  ];
}

async function writeYear(url: string): Promise<void> {
  const client = clientOf(url);
  await client.putBucket({ name: "year", type: "local" });
  const now = Math.floor(Date.now() / 60_000) * 60;
  for (let i = 0; i < MINUTES_OF_YEAR; i += LINES_PER_WRITE) {
    const count = Math.min(LINES_PER_WRITE, MINUTES_OF_YEAR - i);
    const lines = Array.from({ length: count }, (_, k) => {
      const back = MINUTES_OF_YEAR - i - k;
      return `m load=${50 + 20 * Math.sin(back / 229) + (back % 17) / 17} ${now - 60 * back}`;
    });
    const answer = await fetch(`${url}/write?db=year&precision=s`, {
      method: "POST",
      body: lines.join("\n"),
    });
    if (!answer.ok) throw new Error(`write: ${answer.status}`);
  }
  const features = [{ name: "load", metric: "avg", measurement: "m", field: "load" }];
  const settings = { name: "year", default_bucket: "year", bucket_interval: "1m", features };
  await client.createModel(aModel(settings));
}

/** Milliseconds from an action in the page until the chart shows another range, with its values, at the next frame. */
function untilDrawn(page: Page, action: string): Promise<number> {
  const wait = `new Promise((done) => {
    const labelOf = () => document.querySelector(".plot")?.getAttribute("aria-label");
    const [old, started] = [labelOf(), performance.now()];
    const look = () =>
      labelOf() !== old ? requestAnimationFrame(() => done(performance.now() - started)) : requestAnimationFrame(look);
    ${action};
    look();
  })`;
  return page.evaluate(wait);
}

const press = (key: string) =>
  `dispatchEvent(new KeyboardEvent("keydown", { key: "${key}", bubbles: true }))`;
/** The last button of the ranges. */
const YEAR = 'document.querySelectorAll(".toolbar .chip")[5].click()';

async function openDay(browser: Browser, url: string): Promise<Opened> {
  const opened = await open(browser, `${url}/ui/#/models/year?range=1d`);
  await untilShown(opened.page, ".plot canvas");
  await untilShown(opened.page, ".map[role=slider]");
  return opened;
}

async function measureYear(browser: Browser, url: string): Promise<Row[]> {
  const pictures: number[] = [];
  for (let i = 0; i < LOADS; i++) {
    const { page } = await openDay(browser, url);
    pictures.push(await untilDrawn(page, YEAR));
    await page.context().close();
  }
  const { page, cdp } = await openDay(browser, url);
  await untilDrawn(page, YEAR);
  const before = await metricsOf(cdp);
  for (let i = 0; i < ZOOMS; i++) await untilDrawn(page, press(i % 2 === 0 ? "+" : "ArrowLeft"));
  const after = await metricsOf(cdp);
  const redraw = await measureRedraw(page, cdp);
  await page.context().close();
  const script = (1000 * (after.ScriptDuration! - before.ScriptDuration!)) / ZOOMS;
  return [
    { measure: "year of minutes: first picture", value: median(pictures), unit: "ms" },
    { measure: "zoom or pan, its read and drawing: script", value: script, unit: "ms" },
    { measure: "zoom or pan, redrawn before its read: script", value: redraw, unit: "ms" },
  ];
}

/** Script of a step of a series of zooms, which is drawn at once and read after the last. */
async function measureRedraw(page: Page, cdp: CDPSession): Promise<number> {
  const before = await metricsOf(cdp);
  const steps = Array.from({ length: ZOOMS }, (_, i) => press(i % 2 === 0 ? "-" : "+"));
  const frame = "await new Promise(requestAnimationFrame);";
  await page.evaluate(`(async () => { ${steps.map((step) => `${step}; ${frame}`).join("\n")} })()`);
  const after = await metricsOf(cdp);
  return (1000 * (after.ScriptDuration! - before.ScriptDuration!)) / ZOOMS;
}

/** Cost to the server of an open page, beside that without one. */
async function measureIdle(browser: Browser, server: ServerProcess): Promise<Row[]> {
  const perMinute = async () => {
    const before = readUsage(server.pid).cpuS;
    await Bun.sleep(IDLE_MS);
    return (1000 * (readUsage(server.pid).cpuS - before) * 60_000) / IDLE_MS;
  };
  const alone = await perMinute();
  const { page } = await open(browser, `${server.url}/ui/`);
  await untilShown(page, "table.models tbody tr");
  const watched = await perMinute();
  await page.context().close();
  return [
    { measure: "server without a page", value: alone, unit: "ms CPU a minute" },
    { measure: "server with an open page", value: watched, unit: "ms CPU a minute" },
  ];
}

async function measureEvents(browser: Browser, url: string): Promise<Row[]> {
  const { heapMib, events } = await soakPage(browser, url, { seconds: EVENTS_S, eventsPerS: EVENTS_PER_S });
  return [
    { measure: "heap before the events", value: heapMib[0]!, unit: "MiB" },
    { measure: `heap after ${events} events in ${EVENTS_S} s`, value: heapMib.at(-1)!, unit: "MiB" },
  ];
}

export const dashboard: Part = {
  name: "dashboard",
  title: "The dashboard in headless Chromium, drawing in software (median of loads; script without drawing)",
  run: async () => {
    const dataDir = temporaryFolder();
    await makeWorld(dataDir, { models: MODELS, intervalS: 60, span: 24 });
    const server = await startServer({ dataDir });
    const browser = await launchBrowser();
    try {
      const list = await measureList(browser, server.url);
      const idle = await measureIdle(browser, server);
      await writeYear(server.url);
      const year = await measureYear(browser, server.url);
      const events = await measureEvents(browser, server.url);
      return [...list, ...year, ...events, ...idle];
    } finally {
      await browser.close();
      await server.stop();
    }
  },
};

if (import.meta.main) await runAlone(dashboard);
