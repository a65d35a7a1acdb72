// Thresholds and labels in a real browser: tried, applied, undone, verified; a stretch marked by its times and by dragging.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { dragAlong, JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("thresholds and labels", () => {
  const made = useBrowserWorld();

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API are read by their documented shape
  const get = async (path: string): Promise<any> => (await fetch(`${made.world.url}${path}`)).json();

  test("a threshold is tried on the scores, applied and taken back", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/tune"));
    await page.getByText("anomalies a week").first().waitFor();
    await page.getByText(/There are scores of/).waitFor();
    const field = page.getByRole("spinbutton", { name: "Starts above" });
    const before = await field.inputValue();
    expect(await page.getByRole("button", { name: "Apply" }).isDisabled()).toBe(true);
    await field.fill("100");
    await field.press("Tab");
    await page.getByText("gone", { exact: true }).first().waitFor();
    await field.fill("99");
    await field.press("Tab");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("These values are in force.").waitFor();
    const [model] = await get("/models/cpu");
    expect(model.settings.max_threshold).toBe(99);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("In force: automatic").waitFor();
    expect((await get("/models/cpu"))[0].state.thresholds.max).toBe(Number(before));
    expect(problems).toEqual([]);
    await close();
  });

  test("a backtest verifies, and its suggestion is a button", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/tune"));
    await page.getByRole("button", { name: "7 d" }).click();
    await page.getByRole("button", { name: "Start the backtest" }).click();
    await page.getByRole("columnheader", { name: "Precision" }).waitFor({ timeout: 40_000 });
    await page.getByText(/with a start threshold of/).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an untrained model says so", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/idle/tune"));
    await page.getByText("A model that is not trained has no scores.").waitFor();
    await close();
  });

  test("a stretch is marked by its times and by dragging, and removed", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu?range=1d"));
    await page.locator("canvas").first().waitFor();
    await page.keyboard.press("l");
    await page.getByRole("button", { name: "enter the times" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("From").fill("soon");
    await dialog.getByRole("button", { name: "Normal" }).click();
    await dialog.getByText(/from: must be a date/).waitFor();
    await dialog.getByLabel("From").fill("now-3h");
    await dialog.getByLabel("To").fill("now-2h");
    await dialog.getByLabel("Note").fill("a backup");
    await dialog.getByRole("button", { name: "Normal" }).click();
    await page.getByText("a backup").waitFor();
    await page.getByRole("button", { name: "Label (L)" }).click();
    await dragAlong(page, page.locator(".time-chart .over").first(), 0.3, 0.5);
    await page.getByRole("dialog").getByRole("button", { name: "An anomaly" }).click();
    await page
      .getByRole("button", { name: /Remove the label/ })
      .nth(1)
      .waitFor();
    expect((await get("/models/cpu/labels")).map(({ anomaly }: { anomaly: boolean }) => anomaly)).toEqual([
      true,
      false,
    ]);
    await page
      .getByRole("button", { name: /Remove the label/ })
      .first()
      .click();
    await page
      .getByRole("button", { name: /Remove the label/ })
      .nth(1)
      .waitFor({ state: "detached" });
    expect(problems.filter((problem) => !problem.includes("400"))).toEqual([]);
    await close();
  });
});
