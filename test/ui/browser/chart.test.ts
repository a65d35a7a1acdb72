// Charts of a model under the pointer: values of the cell below it in all charts, a dragged stretch, a narrow window.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { dragAlong, JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("chart", () => {
  const made = useBrowserWorld();

  async function openDay(options: Parameters<typeof openPage>[1] = {}) {
    const opened = await openPage(made.browser, options);
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

  test("a tooltip beside the pointer, a legend, and a day that is chosen", async () => {
    const { page, problems, close } = await openDay();
    await areas(page).first().hover();
    await page
      .locator(".tip")
      .getByText(/observed/)
      .waitFor();
    await page.locator(".legend").getByText("normal range").waitFor();
    const day = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    await page.getByLabel("Day").fill(day);
    await page.waitForURL(new RegExp(`from=${Date.parse(day) / 1000}&to=${Date.parse(day) / 1000 + 86_400}`));
    expect(problems).toEqual([]);
    await close();
  });

  test("a change is a line with a tooltip, and the anomaly after it names it", async () => {
    const [{ id, start }] = (await (await fetch(`${made.world.url}/models/cpu/anomalies`)).json()) as [
      { id: string; start: number },
    ];
    const change = { title: "web 2", at: start - 240, url: "https://ci.example.org/7" };
    const headers = { "content-type": "application/json" };
    await fetch(`${made.world.url}/changes`, { method: "POST", headers, body: JSON.stringify(change) });
    const { page, problems, close } = await openDay();
    await page.locator(".legend").getByText("change, as a deployment").waitFor();
    const box = (await areas(page).first().boundingBox())!;
    const share = 1 - (Date.now() / 1000 - change.at) / 86_400;
    await page.mouse.move(box.x + share * box.width, box.y + 40);
    await page.locator(".tip").getByText("web 2").waitFor();
    await page.goto(`${made.world.url}/ui/#/models/cpu?at=${id}`);
    const before = page.getByRole("listitem").filter({ hasText: "4 min after" });
    await before.getByRole("link", { name: "deploy web 2" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a range that is none is said, and the cells are saved as CSV", async () => {
    const { page, problems, close } = await openDay();
    await page.goto(`${made.world.url}/ui/#/models/cpu?range=banana`);
    await page.getByText("The address has no valid range: banana.").waitFor();
    await page.getByText("As a table").click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const stream = await (await saved).createReadStream();
    const text = await new Response(stream as unknown as ReadableStream).text();
    expect(text.split("\r\n")[0]).toBe(
      "time,min_load,mean_load,max_load,expected_load,lower_load,upper_load,score",
    );
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

  test("shift-drag and the wheel move the range, control and the wheel zoom it, a double click zooms out", async () => {
    const { page, problems, close } = await openDay();
    const area = areas(page).first();
    const now = Date.now() / 1000;
    // The next gesture goes on from there, whether it is drawn yet or not.
    const shown = (isThere: (from: number, to: number) => boolean) =>
      page.waitForURL((url) => {
        const { from, to } = Object.fromEntries(new URLSearchParams(url.hash.split("?")[1]));
        return from !== undefined && isThere((Number(from) - now) / 3600, (Number(to) - now) / 3600);
      });
    await page.keyboard.down("Shift");
    await dragAlong(page, area, 0.25, 0.5);
    await page.keyboard.up("Shift");
    // A quarter of a day back.
    await shown((from, to) => Math.abs(from + 30) < 0.5 && Math.abs(to + 6) < 0.5);
    await area.hover();
    await page.mouse.wheel(-1000, 0);
    await shown((from, to) => from < -40 && to < -16);
    await page.mouse.wheel(100_000, 0);
    await shown((from, to) => Math.abs(from + 24) < 0.5 && Math.abs(to) < 0.5);
    await page.keyboard.down("Control");
    await page.mouse.wheel(0, -231);
    await page.keyboard.up("Control");
    // Half as long around the middle.
    await shown((from, to) => Math.abs(from + 18) < 0.5 && Math.abs(to + 6) < 0.5);
    await area.dblclick();
    await shown((from, to) => Math.abs(from + 24) < 0.5 && Math.abs(to) < 0.5);
    expect(problems).toEqual([]);
    await close();
  });

  test("a finger moves the range, two zoom it", async () => {
    const { page, problems, close } = await openDay({ hasTouch: true });
    const protocol = await page.context().newCDPSession(page);
    await areas(page).first().hover();
    const box = (await areas(page).first().boundingBox())!;
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", ...shares: number[]) =>
      protocol.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: shares.map((share, id) => ({ id, x: box.x + share * box.width, y: box.y + 40 })),
      });
    const shownHours = (hours: number) =>
      page.waitForURL((url) => {
        const { from, to } = Object.fromEntries(new URLSearchParams(url.hash.split("?")[1]));
        return from !== undefined && Math.abs((Number(to) - Number(from)) / 3600 - hours) < 0.5;
      });
    await touch("touchStart", 0.2);
    for (const share of [0.3, 0.5, 0.7]) await touch("touchMove", share);
    await touch("touchEnd");
    await shownHours(24);
    // From a tenth of the width apart to four tenths.
    await touch("touchStart", 0.4, 0.5);
    for (const share of [0.6, 0.7, 0.8]) await touch("touchMove", 0.4, share);
    await touch("touchEnd");
    await shownHours(6);
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
