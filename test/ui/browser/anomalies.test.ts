// Anomalies in a real browser: lanes that filter, an inbox judged by keys, one or several at once, with a way back.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, untilTrue, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("anomalies", () => {
  // Two months ago: other tests look back 14 days.
  const old = Array.from({ length: 2100 }, (_, i) => ({ model: "idle", hoursAgo: 24 * 60 + i / 100 }));
  const made = useBrowserWorld(old);

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;

  test("the inbox judges by keys, takes it back, judges several, and filters", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/anomalies"));
    const inbox = page.getByRole("region", { name: /anomal/ });
    await inbox.getByRole("link", { name: "cpu" }).waitFor();
    await page.keyboard.press("y");
    await page.getByText("confirmed").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("confirmed").waitFor({ state: "detached" });
    await page.keyboard.press("x");
    await page.getByText("1 chosen").waitFor();
    await page.keyboard.press("n");
    await inbox.getByText("false alarm", { exact: true }).waitFor();
    await page.getByLabel("Only not judged").check();
    await page.getByText("Nothing odd in 14 days.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a cell of the lanes filters by a click, and opens the chart by Enter; arrows move", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/anomalies"));
    const cell = page.getByRole("link", { name: /cpu, .*: peak 100/ }).first();
    await cell.click();
    await page.waitForURL(/model=cpu/);
    await page.getByText(/^Only cpu from/).waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByText(/^Only cpu from/).waitFor({ state: "detached" });
    await cell.focus();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL(/#\/models\/cpu\?from=/);
    await page.locator("canvas").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("all anomalies of a period can be reached, page by page, the older ones by a button", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/anomalies?days=90"));
    await page.getByRole("region", { name: "2000 anomalies" }).waitFor();
    await page.getByText("1 to 500 of 2000").waitFor();
    await page.getByText("These are the newest 2000.").waitFor();
    await page.getByRole("button", { name: "Read older ones, too" }).click();
    // One of the model cpu.
    await page.getByRole("region", { name: "2101 anomalies" }).waitFor();
    for (const text of ["501 to 1000", "1001 to 1500", "1501 to 2000", "2001 to 2101"]) {
      await page.getByRole("button", { name: "Next page" }).click();
      await page.getByText(`${text} of 2101`).waitFor();
    }
    await untilTrue(page, "document.querySelectorAll('.inbox li').length === 101");
    await page.getByRole("searchbox", { name: "Model or series" }).fill("cpu");
    await page.getByRole("region", { name: "1 anomaly" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});
