// Tabs of a model in a real browser: forecast, versions and training, settings.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { dragAlong, JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

const TRAINING_MS = 90_000;

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("tabs of a model", () => {
  const made = useBrowserWorld();

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;
  const openGroups = async (page: Page, ...names: readonly string[]) => {
    const index = page.getByRole("navigation", { name: "Settings", exact: true });
    for (const name of names) await index.getByRole("button", { name, exact: true }).click();
  };
  const get = async (path: string) => (await fetch(`${made.world.url}${path}`)).json();

  test("chart: what is left of an error budget, and its burn rate", async () => {
    const settings = { name: "web", type: "donut", default_bucket: "b", bucket_interval: "5m" };
    const features = [
      { name: "requests", metric: "sum", field: "load" },
      { name: "errors", metric: "count", field: "load" },
      { name: "burn", budget: { total: "requests", bad: "errors", objective: "50%", window: "7d" } },
    ];
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ ...settings, features });
    await fetch(`${made.world.url}/models`, { method: "POST", headers, body });
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/web"));
    const block = page.getByRole("region", { name: "Error budget burn" });
    // Of some 40 for each of them one is bad.
    await block.getByText(/^9[45]\.?\d*.%$/).waitFor();
    await block.getByText("not within its window").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("forecast: horizon, constraint, table; saved to a bucket; scheduled", async () => {
    const { page, problems, close } = await openPage(made.browser);
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

  test("forecast: a typed bound is watched by a button, listed, and removed", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const stored = async () => {
      const [{ settings }] = (await get("/models/cpu")) as [{ settings: Record<string, unknown> }];
      return settings.watch_forecast;
    };
    await page.goto(ui("#/models/cpu/forecast?to=7d&constraint=load:high:95"));
    await page.getByRole("button", { name: "Watch this: load above 95 within 7d" }).click();
    await page.getByRole("listitem").getByText("load above 95 within 7d").waitFor();
    expect(await stored()).toEqual([{ feature: "load", above: 95, within: "7d" }]);
    expect(await page.getByRole("button", { name: /Watch this/ }).count()).toBe(0);
    await page.goto(ui("#/models/cpu/forecast?to=2d&constraint=load:low:5"));
    await page.getByRole("button", { name: "Watch this: load below 5 within 2d" }).click();
    await page.getByRole("listitem").getByText("load below 5 within 2d").waitFor();
    expect(await stored()).toHaveLength(2);
    for (const name of ["Stop watching load above 95", "Stop watching load below 5"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("button", { name }).waitFor({ state: "detached" });
    }
    expect(await stored()).toBeUndefined();
    expect(problems).toEqual([]);
    await close();
  });

  test("forecast: a model that is not trained has a way on; a wrong horizon is said at its field", async () => {
    const { page, close } = await openPage(made.browser);
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
    await page.getByLabel("Limit").fill("50");
    // A render meanwhile keeps what is typed.
    await page.evaluate("location.hash += '&level=80'");
    await page.locator("main select option:checked[value='80']").waitFor({ state: "attached" });
    await page.getByLabel("Limit").press("Tab");
    await page.waitForURL(/constraint=load%3Ahigh%3A50/);
    await close();
  });

  test("versions: trained from the dialog, restored with a way back", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/versions"));
    await page.getByRole("row", { name: /00 active/ }).waitFor();
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByText(/Data from .* % of the range/).waitFor();
    await page.getByLabel("quick, 1 trial").check();
    await page.getByRole("dialog").getByRole("button", { name: "Train" }).click();
    await page.getByRole("row", { name: /01 active/ }).waitFor({ timeout: TRAINING_MS });
    await page.getByRole("button", { name: "Restore version 00" }).click();
    await page.getByText("Version 00 is active.").waitFor();
    await page.getByRole("button", { name: "Back to version 01" }).click();
    await page.getByRole("row", { name: /01 active/ }).waitFor();
    await page.getByText("Choose two versions to compare them.").waitFor();
    const held = Promise.withResolvers<void>();
    await page.route(/_series\?.*version=/, async (route) => {
      await held.promise;
      await route.continue();
    });
    for (const name of ["00", "01"]) await page.getByLabel(`Compare version ${name}`).check();
    const compared = page.getByRole("region", { name: "Versions 00 and 01" });
    await compared.getByText("still evaluating both versions").waitFor();
    held.resolve();
    await compared.getByRole("row", { name: /Mean error of load \d/ }).waitFor();
    await compared.getByRole("row", { name: /Anomalies \d+ \d+/ }).waitFor();
    await compared.getByRole("img", { name: /expected by versions 00 and 01/ }).waitFor();
    await compared
      .getByRole("heading", { name: /^(Version 0[01] is better|Each version|The versions)/ })
      .waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("versions are compared on a phone: the answer in view, each value below its version, three values at least on the axis", async () => {
    const { page, problems, close } = await openPage(made.browser, { viewport: { width: 390, height: 640 } });
    // Their values are even: the second version has twice the error of the first.
    await page.route(/_series\?.*version=/, (route) => {
      const from = 1_760_000_000;
      const flat = (value: number) => ({
        mean: Array(50).fill(value),
        lower: Array(50).fill(value - 1),
        upper: Array(50).fill(value + 1),
      });
      const error = route.request().url().includes("version=00") ? 4 : 8;
      return route.fulfill({
        json: {
          cpu: {
            ...{ from, to: from + 50 * 300, step: 300, model_step: 300, score: Array(50).fill(10) },
            features: { load: flat(100) },
            expected: { load: flat(100 - error) },
          },
        },
      });
    });
    await page.goto(ui("#/models/cpu/versions"));
    for (const name of ["00", "01"]) await page.getByLabel(`Compare version ${name}`).check();
    const compared = page.getByRole("region", { name: "Versions 00 and 01" });
    await compared.getByText("Mean error of load: 4 in version 00, 8 in the other").waitFor();
    const answer = compared.getByRole("heading", { name: /better/ });
    const { y, height } = (await answer.boundingBox())!;
    expect(y > 0 && y + height < 640).toBe(true);
    await compared.getByText("4 ✓", { exact: true }).waitFor();
    const labels = await page.evaluate(
      `[...document.querySelectorAll(".versions tr:nth-child(1) td")].map((cell) => getComputedStyle(cell, "::before").content)`,
    );
    expect(labels).toEqual(['"Version 00"', '"Version 01"']);
    expect(await compared.locator(".compare > span").count()).toBeGreaterThanOrEqual(3);
    expect(await compared.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("map: the window is moved by keys, dragged and resized; a training range is chosen on it", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu?range=1d"));
    const map = page.getByRole("slider", { name: "Shown range among all data" });
    // The chart of scores comes last, and moves the map down.
    const scores = page.locator("canvas").nth(1);
    await scores.waitFor();
    const filled = page.waitForResponse((response) => response.url().includes("fill=true"));
    await map.press("PageDown");
    await page.waitForURL(/from=\d+&to=\d+/);
    await filled;
    await scores.waitFor();
    const rangeOf = (address: string) => {
      const { from, to } = Object.fromEntries(new URLSearchParams(address.split("?")[1]));
      return [Number(from), Number(to)] as const;
    };
    const [from, to] = rangeOf(page.url());
    expect([to - from, Math.abs(Date.now() / 1000 - 86_400 - to) < 600]).toEqual([86_400, true]);
    expect(await map.getAttribute("aria-valuetext")).toMatch(/ to /);
    await dragAlong(page, map, 0.25, 0.5);
    await page.waitForURL((url) => !url.hash.includes(`to=${to}`));
    const [begin, end] = rangeOf(page.url());
    // A quarter of the eight days of data.
    expect((end - begin) / 86_400).toBeCloseTo(2, 0);
    const now = Date.now() / 1000;
    const label = { from: now - 7200, to: now - 3600, anomaly: true };
    await fetch(`${made.world.url}/models/cpu/labels`, {
      method: "POST",
      body: JSON.stringify(label),
      headers: { "content-type": "application/json" },
    });
    await page.goto(ui("#/models/cpu/versions"));
    await page.getByRole("button", { name: "Train", exact: true }).click();
    const chosen = page.getByRole("slider", { name: "Training range among all data" });
    await chosen.press("End");
    await page.getByText("1 h left out: anomalies and labels.").waitFor();
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toMatch(/^\d{4}-.*Z$/);
    expect(problems).toEqual([]);
    await close();
  });

  test("versions: a range without data is refused in the dialog, which keeps it; a training is canceled", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/versions"));
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await dialog.getByLabel("From", { exact: true }).fill("yesterday");
    await dialog.getByRole("button", { name: "Train" }).click();
    await dialog
      .getByText(/must be a date/)
      .first()
      .waitFor();
    expect(await dialog.getByLabel("From", { exact: true }).inputValue()).toBe("yesterday");
    await dialog.getByLabel("From", { exact: true }).fill("now-8d");
    await dialog.getByLabel("thorough, 10 trials").check();
    await dialog.getByRole("button", { name: "Train" }).click();
    await page.getByRole("region", { name: "training" }).getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("region", { name: "training" }).waitFor({ state: "detached" });
    expect(await get("/models/cpu/training")).toMatchObject({ state: "canceled" });
    await close();
  });

  test("versions: a schedule is set in words, and removed", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/versions"));
    await page.getByRole("button", { name: "Set a schedule" }).click();
    await page.getByLabel("Length of the training range").fill("14d");
    await page.getByRole("button", { name: "Save the schedule" }).click();
    await page.getByText("It is trained every Sunday at 03:00 on the last 14d.").waitFor();
    await page.getByRole("button", { name: "Remove the schedule" }).click();
    await page.getByText("It is trained by hand alone.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("settings: changes are listed and saved; one of another client is a conflict that loses nothing", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/settings"));
    await openGroups(page, "Detection", "How often");
    await page.getByLabel("Max threshold").fill("700");
    await page.getByLabel("Length of a window").fill("24");
    await page.getByRole("row", { name: /Length of a window needs a training 48 24/ }).waitFor();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("must be a number from 0 to 100").first().waitFor();
    await page.getByLabel("Max threshold").fill("70");
    const body = JSON.stringify({ min_duration: 2 });
    await fetch(`${made.world.url}/models/cpu`, {
      method: "PATCH",
      body,
      headers: { "content-type": "application/json" },
    });
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("Another client has changed these settings").waitFor();
    await page.getByRole("button", { name: "Show mine over theirs" }).click();
    await page.getByText("Another client has changed").waitFor({ state: "detached" });
    expect(await page.getByLabel("Min duration").inputValue()).toBe("2");
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The settings were saved.").waitFor();
    expect(await get("/models/cpu")).toMatchObject([
      { settings: { max_threshold: 70, span: 24, min_duration: 2 } },
    ]);
    await page.getByText("As YAML").click();
    await page.getByText(/^name: cpu/).waitFor();
    // Refusals show in the console of the browser; there is nothing else.
    expect(problems.filter((text) => !/status of (400|412)/.test(text))).toEqual([]);
    await close();
  });

  test("settings: a watched forecast is added, refused at its field, and stored", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/idle/settings"));
    await openGroups(page, "Notifications");
    const watches = page.getByRole("group", { name: "Watch forecast" });
    await watches.getByRole("button", { name: "Add" }).click();
    await watches.getByLabel("Feature").fill("load");
    await watches.getByLabel("Within").fill("7d");
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.locator("small.bad", { hasText: "or below is required" }).waitFor();
    await watches.getByLabel("Above").fill("95");
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The settings were saved.").waitFor();
    const [{ settings }] = (await get("/models/idle")) as [{ settings: Record<string, unknown> }];
    expect(settings.watch_forecast).toEqual([{ feature: "load", above: 95, within: "7d" }]);
    await watches.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The settings were saved.").waitFor();
    await close();
  });

  test("settings: an index leads to each group; what is nested in a feature has fields of its own", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/idle/settings"));
    const index = page.getByRole("navigation", { name: "Settings", exact: true });
    const choices = page.getByLabel("Anomaly type").locator("option");
    await choices.first().waitFor({ state: "attached" });
    expect(await choices.allTextContents()).toEqual([
      ...["too high or too low (low_high)", "too low (low)", "too high (high)"],
    ]);
    // All but the first group are folded.
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(2000);
    await index.getByRole("button", { name: "Seasons" }).click();
    const head = page.locator("summary", { hasText: "Seasons" });
    await page.getByLabel("Timezone").waitFor();
    expect(await head.evaluate((element) => element === element.ownerDocument.activeElement)).toBe(true);
    const below = (await index.boundingBox())!;
    expect((await head.boundingBox())!.y).toBeGreaterThanOrEqual(below.y + below.height);
    await index.getByRole("button", { name: "What is watched" }).click();
    await page.getByRole("button", { name: "Add: Only with tags" }).click();
    await page.getByLabel(/^Tag/).fill("host");
    await page.getByLabel(/^Value/).fill("web-1");
    await page.locator("summary", { hasText: "More settings" }).first().click();
    await page.locator("summary", { hasText: /^Only if/ }).click();
    await page.getByLabel("Above").first().fill("10");
    await page.getByRole("row", { name: /Features .* only_if: above: 10/ }).waitFor();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The settings were saved.").waitFor();
    expect(await get("/models/idle")).toMatchObject([
      { settings: { features: [{ match_all: [{ tag: "host", value: "web-1" }], only_if: { above: 10 } }] } },
    ]);
    await page.getByRole("button", { name: "Remove: Only with tags 1" }).click();
    await page.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The settings were saved.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("settings: a model is exported, and deleted, brought back by keyboard, and deleted again", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu/settings"));
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export the model" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("cpu.json");
    await page.goto(ui("#/models/idle/settings"));
    await page.getByRole("button", { name: "Delete the model" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    await page.getByRole("status").getByText("idle is deleted.").waitFor();
    await page.evaluate("document.getElementById('content').focus()");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.getByRole("status").getByText("idle is restored.").waitFor();
    await page.getByRole("button", { name: "Hide" }).click();
    await page.getByRole("link", { name: "idle", exact: true }).waitFor();
    await page.goto(ui("#/models/idle/settings"));
    await page.getByRole("button", { name: "Delete the model" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    expect((await fetch(`${made.world.url}/models/idle`)).status).toBe(404);
    await close();
  });
});
