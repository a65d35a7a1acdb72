// Accessibility of every screen in both themes and on a phone, by axe: WCAG 2.2 AA and best practice, no finding.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import axeCore from "axe-core";
import type { Browser, Page } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { addFleets } from "./fleet-world.ts";
import { addLimits, noise } from "./limits-world.ts";
import { screens } from "./screens.ts";
import { JOURNEY_TIMEOUT_MS, makeWorld, openPage, type World } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** The screen before is gone, and this one has nothing to come: no skeleton, and for a while no change. */
const settled = `new Promise((resolve) => {
  let timer;
  const observer = new MutationObserver(() => wait());
  const look = () => {
    if (document.querySelector("[aria-busy=true]")) return wait();
    observer.disconnect();
    resolve();
  };
  const wait = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 150);
  };
  observer.observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
  wait();
})`;

const rules = axeCore.getRules(tags).map(({ ruleId }) => ruleId);
const colorRules = axeCore.getRules(["cat.color"]).filter(({ ruleId }) => rules.includes(ruleId));
const ofColors = { type: "rule", values: colorRules.map(({ ruleId }) => ruleId) };

/** Each rule that finds something, with the first element. */
async function listFindings(page: Page, runOnly: object): Promise<string[]> {
  const run = `axe.run({ runOnly: ${JSON.stringify(runOnly)} })`;
  const list = "violations.map(({ id, nodes }) => id + ' ' + nodes[0].html)";
  return await page.evaluate(`${run}.then(({ violations }) => ${list})`);
}

/** All rules; then those of colors in further themes, which change nothing else of a page. */
async function expectNoFinding(
  page: Page,
  name: string,
  themes: readonly ("light" | "dark")[],
): Promise<void> {
  for (const [index, colorScheme] of themes.entries()) {
    if (themes.length > 1) await page.emulateMedia({ colorScheme });
    const found = await listFindings(page, index === 0 ? tags : ofColors);
    expect([name, colorScheme, found]).toEqual([name, colorScheme, []]);
  }
}

async function waitForScreen(page: Page, hash: string): Promise<void> {
  await page.getByRole("heading", { level: 1 }).waitFor();
  if (/range|forecast/.test(hash)) await page.locator("canvas").first().waitFor();
  if (hash === "#/models/load")
    await page
      .getByRole("link", { name: /^host=/ })
      .first()
      .waitFor();
  if (hash.includes("field")) await page.getByRole("img").waitFor();
  if (hash === "#/capacity") await page.getByRole("table").waitFor();
  if (hash === "#/report") await page.getByRole("button", { name: "Apply to noisy" }).waitFor();
  if (hash === "#/models/cpu/hooks") await page.getByRole("table").last().waitFor();
  if (hash === "#/anomalies") await page.getByRole("button", { name: "host=web-3: 2 models" }).click();
}

describe.skipIf(browserMissing !== undefined)("axe", () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([makeWorld(noise), launchBrowser()]);
    const config = { url: "http://localhost:9/hook" };
    await fetch(`${world.url}/models/cpu/hooks/ops`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: "webhook", config }),
    });
    await fetch(`${world.url}/models/cpu/hooks/ops/_test`, { method: "POST" });
    await addFleets(world.url);
    await addLimits(world.url);
  }, JOURNEY_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.server.stop();
  });

  const phone = { viewport: { width: 360, height: 780 }, colorScheme: "light" } as const;
  test.each([
    ["light and dark", {}, ["light", "dark"]],
    ["phone", phone, ["light"]],
  ] as const)("%s: no finding on any screen", async (_name, options, themes) => {
    // The policy of the page would refuse the script of the test itself.
    const { page, close } = await openPage(browser, { ...options, bypassCSP: true });
    await page.goto(`${world.url}/ui/`);
    // Once: from one screen to the next the document stays.
    await page.evaluate(axeCore.source);
    for (const hash of screens) {
      await page.goto(`${world.url}/ui/${hash}`);
      await page.evaluate(settled);
      await waitForScreen(page, hash);
      await expectNoFinding(page, hash, themes);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /page$/ }).first().waitFor();
    await expectNoFinding(page, "the palette", themes);
    await close();
  });
});
