// Titles of the browser's tabs: the screen, the model or the series, after the anomalies in progress.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, untilTrue, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("titles", () => {
  const made = useBrowserWorld([{ model: "idle", hoursAgo: 1, isOpen: true }]);

  test("name the screen or the model, with the anomalies in progress in front", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const titles = [
      ["", "(1) Now - Torus"],
      ["#/models", "(1) Models - Torus"],
      ["#/capacity", "(1) Capacity - Torus"],
      ["#/models/cpu/versions", "(1) cpu - Torus"],
      ["#/new", "(1) New model - Torus"],
      ["#/models/cpu/series/host%3Aa", "(1) host:a - Torus"],
      ["#/nowhere", "(1) Torus"],
    ] as const;
    for (const [hash, title] of titles) {
      await page.goto(`${made.world.url}/ui/${hash}`);
      await untilTrue(page, `document.title === ${JSON.stringify(title)}`);
    }
    await page.getByText("There is no such page.").waitFor();
    await page.getByRole("main").getByRole("link", { name: "Now" }).click();
    await untilTrue(page, `document.title === "(1) Now - Torus"`);
    expect(problems.filter((problem) => problem.startsWith("thrown"))).toEqual([]);
    await close();
  });
});
