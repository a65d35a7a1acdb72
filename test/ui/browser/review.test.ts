// Capacity and reports in a real browser: limits of live models, and a proposal that is applied and undone.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { perFile } from "../../support/per-test.ts";
import { addLimits, noise } from "./limits-world.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const HOUR = 3600;

describe.skipIf(browserMissing !== undefined)("empty", () => {
  const made = useBrowserWorld();

  test("capacity says what makes a series appear", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/capacity`);
    await page.getByRole("heading", { name: "Nothing moves towards a limit." }).waitFor();
    await page.getByText("max or min, a watched bound, or 100 %").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a report of a calm week has its figures, and nothing to change", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/report`);
    await page.getByText("0 (before: 0)").first().waitFor();
    await page.getByText("No alarms in this range.").waitFor();
    expect(await page.getByRole("heading", { name: "Noisiest models" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });
});

describe.skipIf(browserMissing !== undefined)("review", () => {
  // Before the anomalies are recorded, whose times count from then: a world takes its time on a busy machine.
  const recordedAt = perFile(
    () => ({ ms: Date.now() }),
    () => {},
  );
  const made = useBrowserWorld(noise);
  beforeAll(async () => {
    await addLimits(made.world.url);
    const started = Math.floor(recordedAt.ms / 1000) - 5 * HOUR - 240;
    await fetch(`${made.world.url}/changes`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ title: "web 1.9.2", at: started }),
    });
  }, JOURNEY_TIMEOUT_MS);

  const thresholdOf = async (model: string) => {
    const [{ settings }] = (await (await fetch(`${made.world.url}/models/${model}`)).json()) as [
      { settings: { max_threshold?: number } },
    ];
    return settings.max_threshold;
  };

  test("what runs full next is reached from the first screen, and leads to its forecast", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/`);
    await page.getByRole("link", { name: "What runs full next" }).click();
    const row = page.getByRole("row", { name: /host=db-1: used rises to 512 GB/ });
    await row.getByText(/^right in \d+ of \d+ cases$/).waitFor();
    await row.getByText(/^\+1[12](\.\d+)?\sGB a day$/).waitFor();
    await row.getByText(/^5 d( \d+ h)? left$/).waitFor();
    expect(await page.getByRole("row", { name: /db-3/ }).count()).toBe(0);
    await page.getByRole("searchbox", { name: "Search series" }).fill("db-2");
    await row.waitFor({ state: "detached" });
    await page.getByRole("row", { name: /db-2/ }).getByRole("link").click();
    await page
      .getByRole("status")
      .getByText(/used above 512\sGB/)
      .waitFor();
    expect(page.url()).toContain("/models/disks/series/host%3Adb-2/forecast?constraint=used%3Ahigh%3A512");
    expect(problems).toEqual([]);
    await close();
  });

  test("a text that nothing has is said, and the filter is cleared", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/capacity?q=nothing`);
    await page.getByText("No series fits.").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("row", { name: /^volume used/ }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the report tells incidents with the change before them, and what runs full", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/`);
    await page.getByRole("link", { name: "Report of the week" }).click();
    await page.getByText("12 (before: 0)").waitFor();
    await page.getByRole("img", { name: /^Alarms by day, UTC/ }).waitFor();
    await page.getByText(/^[34] min( \d+ s)? after deploy web 1.9.2$/).waitFor();
    await page.getByText("0 of 1 had no incident after them.").waitFor();
    await page
      .getByText(/used reaches 512\sGB/)
      .first()
      .waitFor();
    await page
      .getByRole("link", { name: /load too high/ })
      .first()
      .click();
    await page.waitForURL(/models\/noisy\?at=/);
    expect(problems).toEqual([]);
    await close();
  });

  test("in German the report, a forecast and a refusal are told in German", async () => {
    const { page, problems, close } = await openPage(made.browser, { locale: "de-DE" });
    await page.goto(`${made.world.url}/ui/#/report`);
    await page.getByRole("link", { name: "load zu hoch: 70 statt 20" }).first().waitFor();
    await page.getByText("1 Vorfall danach: load zu hoch: 70 statt 20").waitFor();
    await page.goto(`${made.world.url}/ui/#/models/cpu/forecast`);
    await page.getByText(/diese Perioden: Tag\. Gemacht von .*Saison \d+\s%/).waitFor();
    await page.goto(`${made.world.url}/ui/#/settings`);
    await page.getByRole("listitem").filter({ hasText: "Überwachung" }).waitFor();
    expect(problems).toEqual([]);
    const range = "from=now-900d&to=now-800d";
    await fetch(`${made.world.url}/models/idle/_train?${range}`, { method: "POST" });
    await page.goto(`${made.world.url}/ui/#/models/idle/versions`);
    await page.getByText(/^Das letzte Training ist gescheitert\. Keine Daten: no data found/).waitFor();
    await close();
  });

  test("a proposal shows what it changes, is applied and undone", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/report`);
    const said = "A start above 70 would have spared 8 of 12 alarms, none of the 4 confirmed ones.";
    await page.getByText(said).waitFor();
    await page.getByRole("button", { name: "Apply to noisy" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply to noisy" });
    await dialog.getByRole("row", { name: "max_threshold 60 70" }).waitFor();
    expect(await thresholdOf("noisy")).toBe(60);
    await dialog.getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("Applied: it counts from now on.").waitFor();
    expect(await thresholdOf("noisy")).toBe(70);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Apply to noisy" }).waitFor();
    expect(await thresholdOf("noisy")).toBe(60);
    expect(problems).toEqual([]);
    await close();
  });

  test("a range is turned and chosen by days, which the address holds", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/report`);
    await page.getByText("12 (before: 0)").waitFor();
    expect(await page.getByRole("button", { name: "Later" }).isDisabled()).toBe(true);
    await page.getByRole("button", { name: "Earlier" }).click();
    await page.getByText("No alarms in this range.").waitFor();
    expect(page.url()).toMatch(/from=\d+&to=\d+/);
    await page.getByRole("button", { name: "Later" }).click();
    await page.getByText("12 (before: 0)").waitFor();
    await page.getByLabel("From").fill("2026-01-01");
    await page.getByLabel("To", { exact: true }).fill("2026-01-03");
    await page.getByText("No alarms in this range.").waitFor();
    expect(await page.getByLabel("From").inputValue()).toBe("2026-01-01");
    await page.goto(`${made.world.url}/ui/#/report?from=2&to=1`);
    await page.getByText("The address has no valid range: 2 … 1.").waitFor();
    await page.goto(`${made.world.url}/ui/#/report?range=365d`);
    await page
      .getByRole("alert")
      .getByText(/at most 92 days/)
      .waitFor();
    expect(problems.filter((problem) => !problem.includes("400"))).toEqual([]);
    await close();
  });

  test("it is saved as a page of one file", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/report`);
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as a page to print" }).click();
    const saved = await saving;
    expect(saved.suggestedFilename()).toBe("report.html");
    expect(await Bun.file(await saved.path()).text()).toContain("<h2>Noisiest models</h2>");
    expect(problems).toEqual([]);
    await close();
  });

  test("the schedule of a weekly report is filled in", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/schedules?new=report`);
    const dialog = page.getByRole("dialog", { name: "New schedule" });
    await dialog.getByLabel("To, several separated by commas").fill("Ops <ops@example.org>");
    await dialog.getByLabel("Sender").fill("torus@example.org");
    await dialog.getByRole("button", { name: "Save" }).click();
    const words = /^weekly report Report of the last 7 d, by mail to Ops <ops@example.org>/;
    await page.getByRole("row", { name: words }).waitFor();
    expect(page.url()).not.toContain("new=");
    expect(problems).toEqual([]);
    await close();
  });
});

describe.skipIf(browserMissing !== undefined)("false alarms of one hour", () => {
  const DAY = 24 * HOUR;
  /** The hour of the day, UTC, some hours back: twelve minutes past it they begin. */
  const begin = Math.floor(Date.now() / 1000 / HOUR) * HOUR - 3 * HOUR;
  const hoursAgo = (at: number) => (Date.now() / 1000 - at) / HOUR;
  const nightly = [0, 1, 2, 3].map((day) => ({
    model: "idle",
    hoursAgo: hoursAgo(begin + 720 - day * DAY),
    hours: 0.25,
    isReal: false,
  }));
  const made = useBrowserWorld([...nightly, { model: "idle", hoursAgo: 30.5, isReal: true }]);

  test("a mute window is proposed in the zone of the page, applied, and undone", async () => {
    const { page, problems, close } = await openPage(made.browser, { timezoneId: "Asia/Tokyo" });
    const muteOf = async () => {
      const found = await fetch(`${made.world.url}/models/idle`);
      const [model] = (await found.json()) as [{ settings: { mute?: readonly object[] } }];
      return model.settings.mute;
    };
    const clock = (at: number) => new Date(at * 1000).toISOString().slice(11, 16);
    const window = { from: clock(begin), to: clock(begin + HOUR).replace("00:00", "24:00") };
    const inTokyo = `${clock(begin + 9 * HOUR)} – ${clock(begin + 10 * HOUR)}`;
    await page.goto(`${made.world.url}/ui/#/report`);
    await page.getByText(`${inTokyo} would have spared 4 of 5 alarms`).waitFor();
    await page.getByRole("button", { name: "Apply to idle" }).click();
    const dialog = page.getByRole("dialog", { name: "Apply to idle" });
    await dialog.getByRole("row", { name: `mute – ${inTokyo}` }).waitFor();
    await dialog.getByRole("button", { name: "Apply", exact: true }).click();
    await page.getByText("Applied: it counts from now on.").waitFor();
    expect(await muteOf()).toEqual([window]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("button", { name: "Apply to idle" }).waitFor();
    expect(await muteOf()).toBeUndefined();
    expect(problems).toEqual([]);
    await close();
  });
});
