// npm run pictures: the pictures of the dashboard in the documents, taken from a real server.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { launchBrowser } from "../support/browser.ts";
import { makeWorld, openPage } from "./browser/world.ts";

const folder = join(import.meta.dir, "../../docs/pictures");
const viewport = { width: 960, height: 640 };
const pictures = [
  { name: "models", hash: "#/models", colorScheme: "light", wait: "table" },
  { name: "model", hash: "#/models/cpu?range=1d", colorScheme: "light", wait: "canvas >> nth=1" },
  { name: "model-dark", hash: "#/models/cpu?range=1d", colorScheme: "dark", wait: "canvas >> nth=1" },
  { name: "thresholds", hash: "#/models/cpu/tune", colorScheme: "light", wait: "canvas" },
  { name: "anomalies", hash: "#/anomalies", colorScheme: "light", wait: ".episodes" },
  { name: "new-model", hash: "#/new?bucket=b&field=load", colorScheme: "light", wait: ".oddest" },
] as const;

mkdirSync(folder, { recursive: true });
const [world, browser] = await Promise.all([makeWorld(), launchBrowser()]);
await fetch(`${world.url}/models/cpu/_start?detect_anomalies=true`, { method: "POST" });
for (const { name, hash, colorScheme, wait } of pictures) {
  const { page, close } = await openPage(browser, { colorScheme, viewport });
  const isChart = wait.startsWith("canvas >>");
  const filled = isChart && page.waitForResponse((response) => response.url().includes("fill=true"));
  await page.goto(`${world.url}/ui/${hash}`);
  await page.locator(wait).waitFor();
  // Expected values and scores come after the observed ones, and are drawn in the next frame.
  if (filled) await (await filled).finished();
  await page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))");
  await page.evaluate("new Promise(requestAnimationFrame)");
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await close();
}
await browser.close();
await world.server.stop();
