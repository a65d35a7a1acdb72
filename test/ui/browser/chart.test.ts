// Charts of a model under the pointer: values of the cell below it in all charts, a dragged stretch, a narrow window.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { dragAlong, JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("chart", () => {
  const made = useBrowserWorld();

  async function openDay() {
    const opened = await openPage(made.browser);
    await opened.page.goto(`${made.world.url}/ui/#/models/cpu?range=1d`);
    // That of the scores comes last.
    await opened.page.locator("canvas").nth(1).waitFor();
    return opened;
  }
  const areas = (page: Page) => page.locator(".time-chart .over");

  test("the line below the pointer is shown in all charts, with the values of its time", async () => {
    const { page, problems, close } = await openDay();
    const lines = page.locator(".time-chart .cross:visible");
    const readout = page.locator(".readout");
    const newest = await readout.textContent();
    expect(await lines.count()).toBe(0);
    await areas(page).first().hover();
    await lines.nth(1).waitFor();
    expect(await readout.textContent()).not.toBe(newest);
    await page.getByRole("heading", { level: 1 }).hover();
    await lines.first().waitFor({ state: "detached" });
    expect(await readout.textContent()).toBe(newest);
    expect(problems).toEqual([]);
    await close();
  });

  test("a dragged stretch becomes the range of the address", async () => {
    const { page, problems, close } = await openDay();
    await dragAlong(page, areas(page).first(), 0.25, 0.5);
    await page.waitForURL(/from=\d+&to=\d+/);
    const { from, to } = Object.fromEntries(new URLSearchParams(page.url().split("?")[1]));
    // A quarter of a day, to the nearest cells.
    expect((Number(to) - Number(from)) / 3600).toBeCloseTo(6, 0);
    expect(problems).toEqual([]);
    await close();
  });

  test("a chart is as wide as its page, also after that changes", async () => {
    const { page, problems, close } = await openDay();
    const canvas = page.locator("canvas").first();
    const wide = (await canvas.boundingBox())!.width;
    await page.setViewportSize({ width: 700, height: 800 });
    await page.locator(`canvas:not([style*="width: ${wide}px"])`).first().waitFor();
    const [{ width }, plot] = [
      (await canvas.boundingBox())!,
      await page.locator(".plot").first().boundingBox(),
    ];
    expect(width).toBe(plot!.width);
    expect(problems).toEqual([]);
    await close();
  });
});
