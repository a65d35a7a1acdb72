// Tabs of a model in a real browser: forecast, versions and training, settings.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { makeWorld, openPage, type World } from "./world.ts";

if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("tabs of a model", () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([makeWorld(), launchBrowser()]);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await world?.server.stop();
  });

  const ui = (hash: string) => `${world.url}/ui/${hash}`;
  const get = async (path: string) => (await fetch(`${world.url}${path}`)).json();

  test("forecast: horizon, constraint, table; saved to a bucket; scheduled", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/models/cpu/forecast"));
    await page.getByRole("img", { name: /Forecast of load of cpu/ }).waitFor();
    await page.getByRole("button", { name: "Week" }).click();
    await page.waitForURL(/to=7d/);
    await page.getByLabel("Limit").fill("50");
    await page.getByLabel("Limit").press("Tab");
    await page.getByText("load above 50: first on").waitFor();
    await page.getByText("As a table").click();
    await page.getByRole("columnheader", { name: "load, expected" }).waitFor();
    await page.reload();
    await page.getByText("load above 50: first on").waitFor();
    await page.getByText(/Its error is/).waitFor();
    await page.getByRole("button", { name: "Save to a bucket" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Save to a bucket" }).click();
    await page.getByText("The job was submitted.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Forecast on a schedule" }).click();
    await page.getByLabel("Time of day").fill("04:30");
    await page.getByRole("dialog").getByRole("button", { name: "Forecast on a schedule" }).click();
    await page.getByText("The schedule was made.").waitFor();
    expect(await get("/scheduled_jobs/forecast+cpu")).toMatchObject([
      {
        relative_url: "/models/cpu/_forecast",
        every: { unit: "day", at: "04:30" },
        params: { to: "now+7d" },
      },
    ]);
    expect(problems).toEqual([]);
    await close();
  });

  test("forecast: a model that is not trained has a way on; a wrong horizon is said at its field", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/models/idle/forecast"));
    await page.getByText("A forecast needs a trained model.").waitFor();
    await page.goto(ui("#/models/cpu/forecast"));
    const own = page.getByLabel("Own horizon, as in 36h or 10d");
    await own.fill("soon");
    await own.press("Tab");
    const message = await own.evaluate(
      (field) => (field as unknown as { validationMessage: string }).validationMessage,
    );
    expect(message).toContain("A number and a unit");
    await own.fill("36h");
    await own.press("Tab");
    await page.waitForURL(/to=36h/);
    await close();
  });
});
