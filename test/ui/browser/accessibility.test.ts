// Accessibility of every screen in both themes and on a phone, by axe: WCAG 2.2 AA and best practice, no finding.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { addFleets } from "./fleet-world.ts";
import { addLimits, noise } from "./limits-world.ts";
import { screens } from "./screens.ts";
import { JOURNEY_TIMEOUT_MS, makeWorld, openPage, type World } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const findings = `axe.run({ runOnly: ${JSON.stringify(tags)} }).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))`;

describe.skipIf(browserMissing !== undefined)("axe", () => {
  let world: World;
  let browser: Browser;
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
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
    ["light", { colorScheme: "light" }],
    ["dark", { colorScheme: "dark" }],
    ["phone", phone],
  ] as const)("%s: no finding on any screen", async (_name, options) => {
    // The policy of the page would refuse the script of the test itself.
    const { page, close } = await openPage(browser, { ...options, bypassCSP: true });
    for (const hash of screens) {
      await page.goto(`${world.url}/ui/${hash}`);
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
      await page.evaluate(axe);
      const found = await page.evaluate(findings);
      expect([hash, found]).toEqual([hash, []]);
    }
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: /page$/ }).first().waitFor();
    await page.evaluate(axe);
    expect(await page.evaluate(findings)).toEqual([]);
    await close();
  });
});
