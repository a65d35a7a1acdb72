// Schedules in a real browser: made, run, paused, edited and deleted.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("schedules", () => {
  const made = useBrowserWorld();

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;

  test("from none to one that ran: made with its next runs, run now, paused, edited, deleted", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/schedules"));
    await page.getByText("No schedules.").waitFor();
    await page.getByRole("button", { name: "New schedule" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("nightly");
    await dialog.getByLabel("What it does").selectOption("start");
    await dialog.getByRole("combobox", { name: "Model", exact: true }).selectOption("cpu");
    await dialog.getByLabel("Unit").selectOption("sunday");
    await dialog.getByLabel("Time of day").fill("04:15");
    await dialog
      .getByText(/^Sun, .* 04:15$/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    const row = page.getByRole("row", { name: /nightly/ });
    await row.getByText("every Sunday at 04:15").waitFor();
    await page.getByRole("button", { name: "Run nightly now" }).click();
    await row.getByText(/: done$/).waitFor();
    await page.getByRole("button", { name: "Pause nightly" }).click();
    await row.getByText("paused").waitFor();
    await page.getByRole("button", { name: "Resume nightly" }).click();
    await row.getByText("paused").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Edit nightly" }).click();
    await dialog.getByLabel("What it does").selectOption("stop");
    await dialog.getByRole("button", { name: "Save" }).click();
    await row.getByText("Stop live detection of cpu").waitFor();
    await page.getByRole("button", { name: "Delete nightly" }).click();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No schedules.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await row.getByText("Stop live detection of cpu").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a schedule is made in the zone of the page, and named with it in another one", async () => {
    const tokyo = await openPage(made.browser, { timezoneId: "Asia/Tokyo" });
    await tokyo.page.goto(ui("#/schedules"));
    await tokyo.page.getByRole("button", { name: "New schedule" }).click();
    const dialog = tokyo.page.getByRole("dialog");
    await dialog.getByLabel("Name", { exact: true }).fill("of Tokyo");
    await dialog.getByRole("combobox", { name: "Model", exact: true }).selectOption("cpu");
    await dialog.getByText("The next runs, set in Asia/Tokyo").waitFor();
    await dialog
      .getByText(/ 03:00$/)
      .first()
      .waitFor();
    await dialog.getByRole("button", { name: "Save" }).click();
    await tokyo.page.getByRole("cell", { name: "every day at 03:00", exact: true }).waitFor();
    const path = `${made.world.url}/scheduled_jobs/of%20Tokyo`;
    const [job] = (await (await fetch(path)).json()) as [{ every: object }];
    expect(job.every).toEqual({ unit: "day", at: "03:00", timezone: "Asia/Tokyo" });
    await tokyo.close();
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/schedules"));
    await page.getByText("every day at 03:00 (Asia/Tokyo)").waitFor();
    await fetch(path, { method: "DELETE" });
    await close();
  });

  test("a wrong cron text is refused in the dialog, which keeps what was typed; focus returns", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/schedules"));
    await page.getByRole("button", { name: "New schedule" }).click();
    await page.getByLabel("Name", { exact: true }).fill("odd");
    await page.getByLabel("Unit").selectOption("cron");
    await page.getByRole("textbox", { name: "Cron text" }).fill("never");
    await page.getByText(/must be a cron text/).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("odd");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("New schedule");
    await close();
  });
});
