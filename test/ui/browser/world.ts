// World of the browser tests: a server with a trained model and a recorded anomaly; pages whose console is kept.
import type { Browser, Locator, Page } from "playwright-core";
import { createClient } from "../../../src/cli/client/client.ts";
import { createRandom } from "../../../wasm/random.ts";
import { launchBrowser } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { perFile } from "../../support/per-test.ts";
import { type ServerProcess, startServer } from "../../support/server-process.ts";
import { type Recorded, recordAnomalies } from "./recorded.ts";

const STEP = 300;
const POINTS = 288 * 8;
/** Intervals before now at which the anomaly starts, and its length. */
const BACK = 60;
const LENGTH = 12;
/** Newest values that may rise. */
const NEWEST = 3;
/** Longest wait of one step of a journey: the server and the browser share two cores with other tests. */
const STEP_TIMEOUT_MS = 60_000;
const POLL_MS = 20;
/** For `setDefaultTimeout` in each file: it holds for the file that calls it, and this module is evaluated once. */
export const JOURNEY_TIMEOUT_MS = 300_000;

export const tokens = {
  admin: "admin-0123456789abcdef0123456789",
  read: "reader-0123456789abcdef012345678",
};

export interface World {
  readonly server: ServerProcess;
  readonly url: string;
}

/**
 * Starts a server with the models `cpu` (trained, with a recorded anomaly) and `idle` (untrained).
 * @param rise of the newest values, which the evaluation does not see
 */
export async function makeWorld(recorded: readonly Recorded[] = [], { rise = 0 } = {}): Promise<World> {
  // Receivers of tests are on this machine.
  const env = { TORUS_TRAINING_STEPS: "200", TORUS_HOOKS_WEBHOOK_PRIVATE_ADDRESSES: "true" };
  const dataDir = temporaryFolder();
  await recordAnomalies(dataDir, recorded);
  const server = await startServer({ dataDir, env });
  const client = createClient({ baseUrl: server.url, sleep: (ms) => Bun.sleep(Math.min(ms, 50)) });
  await client.putBucket({ name: "b", type: "local" });
  const now = Math.floor(Date.now() / 1000 / STEP) * STEP;
  const random = createRandom(7);
  const points = Array.from({ length: POINTS }, (_, i) => {
    const left = POINTS - i;
    const usual = 40 + 20 * Math.sin((2 * Math.PI * i) / 288) + random.normal();
    const isOdd = left <= BACK && left > BACK - LENGTH;
    return { timestamp: now - left * STEP, load: usual + (isOdd ? 80 : left <= NEWEST ? rise : 0) };
  });
  await client.waitForJob(await client.write("b", points));
  const settings = {
    type: "donut",
    default_bucket: "b",
    bucket_interval: STEP,
    max_evals: 1,
    span: 48,
  } as const;
  const features = [{ name: "load", metric: "avg", field: "load" }];
  for (const name of ["cpu", "idle"]) await client.createModel({ name, ...settings, features });
  await client.waitForJob(
    await client.train("cpu", { from: now - POINTS * STEP, to: now - 100 * STEP, seed: 1 }),
  );
  const range = `from=${now - 100 * STEP}&to=${now - (rise === 0 ? 0 : NEWEST * STEP)}`;
  await fetch(`${server.url}/models/cpu/_eval?${range}&detect_anomalies=true&record=true`, {
    method: "POST",
  });
  return { server, url: server.url };
}

/** A world and a browser for the tests of a `describe`. @param recorded anomalies besides that of `cpu` */
export function useBrowserWorld(recorded: readonly Recorded[] = []): {
  readonly world: World;
  readonly browser: Browser;
} {
  const make = async () => {
    const [world, browser] = await Promise.all([makeWorld(recorded), launchBrowser()]);
    return { world, browser };
  };
  const close = async ({ world, browser }: Partial<Awaited<ReturnType<typeof make>>>) => {
    await browser?.close();
    await world?.server.stop();
  };
  return perFile(make, close, JOURNEY_TIMEOUT_MS);
}

/** A page of its own; `problems` are what its console says. */
export async function openPage(browser: Browser, options: Parameters<Browser["newContext"]>[0] = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    locale: "en-US",
    timezoneId: "UTC",
    ...options,
  });
  // Before the test itself ends, which would close the browser of the tests after it.
  context.setDefaultTimeout(STEP_TIMEOUT_MS);
  const page: Page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => problems.push(`${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => problems.push(`thrown: ${error.message}`));
  return { page, problems, close: () => context.close() };
}

/**
 * Waits until an expression is true in the page. It is asked from outside: a page with our policy of content may not
 * evaluate texts, which a wait within the page does from the second time on.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const endAt = Date.now() + STEP_TIMEOUT_MS;
  while (!(await page.evaluate(expression))) {
    if (Date.now() > endAt) throw new Error(`it did not become true: ${expression}`);
    await Bun.sleep(POLL_MS);
  }
}

/** Drags along the middle of an element, from one share of its width to another; waits until it keeps its place. */
export async function dragAlong(page: Page, element: Locator, from: number, to: number): Promise<void> {
  const placeAt = async (share: number) => {
    const { width, height } = (await element.boundingBox())!;
    return { x: share * width, y: height / 2 };
  };
  await element.hover({ position: await placeAt(from) });
  await page.mouse.down();
  for (const share of [(from + to) / 2, to])
    await element.hover({ position: await placeAt(share), force: true });
  await page.mouse.up();
}
