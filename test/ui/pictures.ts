// npm run pictures: the pictures of the dashboard in the documents, taken from a real server.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { until } from "../cluster/nodes.ts";
import { launchBrowser } from "../support/browser.ts";
import { addFleets } from "./browser/fleet-world.ts";
import { addLimits, noise } from "./browser/limits-world.ts";
import { makeWorld, openPage } from "./browser/world.ts";

const folder = join(import.meta.dir, "../../docs/pictures");
const WIDTH = 960;
const HEIGHT = 640;

interface Picture {
  readonly name: string;
  readonly hash: string;
  readonly colorScheme: "light" | "dark";
  /** Selector of what the page shows last. */
  readonly wait: string;
  /** Name of a button that is pressed before. */
  readonly press?: string;
  /** Of the window, CSS pixels. */
  readonly width?: number;
  readonly height?: number;
}

const pictures: readonly Picture[] = [
  { name: "now", hash: "#/now", colorScheme: "light", wait: ".spark .line", height: 560 },
  { name: "anomaly", hash: "#/models/cpu?at=ANOMALY", colorScheme: "light", wait: ".shares", height: 1100 },
  { name: "models", hash: "#/models", colorScheme: "light", wait: ".lately .line >> nth=1" },
  { name: "model", hash: "#/models/cpu?range=1d", colorScheme: "light", wait: "canvas >> nth=1" },
  { name: "model-dark", hash: "#/models/cpu?range=1d", colorScheme: "dark", wait: "canvas >> nth=1" },
  { name: "thresholds", hash: "#/models/cpu/tune", colorScheme: "light", wait: "canvas" },
  { name: "anomalies", hash: "#/anomalies", colorScheme: "light", wait: ".episodes" },
  { name: "new-model", hash: "#/new?bucket=b&field=load", colorScheme: "light", wait: ".oddest" },
];
/** Of the world with fleets. */
const fleetPictures: readonly Picture[] = [
  { name: "fleet", hash: "#/models/load", colorScheme: "light", wait: "table >> text=web-3", height: 480 },
  {
    name: "incident",
    hash: "#/anomalies",
    colorScheme: "light",
    wait: "li.member >> nth=1",
    press: "host=web-3: 2 models",
    height: 720,
  },
];

/** Of the world with limits. */
const limitPictures: readonly Picture[] = [
  { name: "capacity", hash: "#/capacity", colorScheme: "light", wait: "table", height: 360 },
  {
    name: "report",
    hash: "#/report",
    colorScheme: "light",
    wait: "text=Noisiest models",
    width: 1280,
    height: 720,
  },
];

mkdirSync(folder, { recursive: true });
let world = await makeWorld([{ model: "idle", hoursAgo: 20 }], { rise: 30 });
const browser = await launchBrowser();
const [found] = await anomaliesOf("evaluation");
const anomaly = found!.id;
await fetch(`${world.url}/models/cpu/_start?detect_anomalies=true`, { method: "POST" });
await until("live detection raises the newest values", async () => (await anomaliesOf("live")).length > 0);
for (const picture of pictures) await take(picture);
await addFleets(world.url);
for (const picture of fleetPictures) await take(picture);
await world.server.stop();
world = await makeWorld(noise);
await addLimits(world.url);
for (const picture of limitPictures) await take(picture);
await browser.close();
await world.server.stop();

async function anomaliesOf(origin: "evaluation" | "live"): Promise<{ id: string }[]> {
  return (await fetch(`${world.url}/models/cpu/anomalies?origin=${origin}`)).json() as Promise<
    { id: string }[]
  >;
}

async function take({ name, hash, colorScheme, wait, press, ...window }: Picture): Promise<void> {
  const viewport = { width: WIDTH, height: HEIGHT, ...window };
  const { page, close } = await openPage(browser, { colorScheme, viewport });
  const isChart = hash.startsWith("#/models/cpu?");
  const filled = isChart && page.waitForResponse((response) => response.url().includes("fill=true"));
  await page.goto(`${world.url}/ui/${hash.replace("ANOMALY", anomaly)}`);
  if (press) await page.getByRole("button", { name: press }).click();
  await page.locator(wait).waitFor();
  // Expected values and scores come after the observed ones, and are drawn in the next frame.
  if (filled) await (await filled).finished();
  await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
  await page.evaluate("new Promise(requestAnimationFrame)");
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
