// Anomalies in a real browser: lanes that filter, an inbox judged by keys, one or several at once, with a way back.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("anomalies", () => {
  const made = useBrowserWorld();

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
});
