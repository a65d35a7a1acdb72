// Journeys through the dashboard in a real browser: list, chart, judgement, login, a lost server, phones, languages.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { startServer } from "../../support/server-process.ts";
import { JOURNEY_TIMEOUT_MS, openPage, tokens, untilTrue, useBrowserWorld } from "./world.ts";

/** Of a test with two trainings. */
const TRAINING_MS = 60_000;

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("in a browser", () => {
  const made = useBrowserWorld();

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;

  test("the list shows every model with its state; filter and search are in the address", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models"));
    await page.getByRole("link", { name: "cpu", exact: true }).waitFor();
    expect(await page.getByRole("row").count()).toBe(3);
    expect(await page.getByRole("row", { name: /untrained idle/ }).count()).toBe(1);
    await page.getByRole("button", { name: "untrained 1" }).click();
    await page.getByRole("link", { name: "cpu", exact: true }).waitFor({ state: "detached" });
    expect(page.url()).toContain("state=untrained");
    await page.reload();
    await page.getByRole("link", { name: "idle" }).waitFor();
    expect(await page.getByRole("link", { name: "cpu", exact: true }).count()).toBe(0);
    await page.keyboard.press("/");
    await page.keyboard.type("nothing");
    await page.getByText("No model has a name with nothing.").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("link", { name: "cpu", exact: true }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a model is started and stopped in its row, and on its page", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models"));
    await page.getByRole("button", { name: "Start cpu" }).click();
    await page.getByRole("button", { name: "Stop cpu" }).click();
    await page.getByRole("button", { name: "Keep it live" }).click();
    await page.getByRole("button", { name: "Stop cpu" }).click();
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("button", { name: "Start cpu" }).waitFor();
    await page.getByRole("link", { name: "cpu", exact: true }).click();
    const saving = "?save_output_data=true&output_bucket=b";
    await fetch(`${made.world.url}/models/cpu/_start${saving}`, { method: "POST" });
    await page.getByRole("button", { name: "Stop cpu" }).click();
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByText("cpu is stopped.").waitFor();
    await page.getByRole("button", { name: "Undo", exact: true }).click();
    await page.getByText("cpu is live again.").waitFor();
    const [model] = (await (await fetch(`${made.world.url}/models/cpu`)).json()) as [{ settings: object }];
    expect(model.settings).toMatchObject({
      run: { detect_anomalies: false, save_output_data: true, output_bucket: "b" },
    });
    await page.getByRole("button", { name: "Stop cpu" }).click();
    await page.getByRole("button", { name: "Stop it" }).click();
    await page.getByRole("button", { name: "Start cpu" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the chart of an anomaly: opened from the list, judged by a key, zoomed by keys", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models"));
    await page.getByRole("link", { name: /peak 100/ }).click();
    await page.getByRole("img", { name: /load of cpu. 1 anomaly/ }).waitFor();
    await page.locator("canvas").nth(1).waitFor();
    const list = page.getByRole("region", { name: "Anomalies", exact: true });
    await list.getByText(/load too high/).waitFor();
    await page.keyboard.press("y");
    await list.getByText("confirmed").waitFor();
    await list.getByRole("button", { name: "False alarm (N)" }).click();
    await list.getByText("false alarm", { exact: true }).waitFor();
    const before = page.url();
    await page.keyboard.press("+");
    await page.waitForURL((url) => url.href !== before);
    await page.getByRole("button", { name: "1 y", exact: true }).click();
    await page.getByText("Scores of this range are not recorded.").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an anomaly tells why it was raised, and is noted, muted and linked", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const list = await fetch(`${made.world.url}/models/cpu/anomalies`);
    const [{ id }] = (await list.json()) as [{ id: string }];
    await page.goto(ui(`#/models/cpu?at=${id}`));
    const detail = page.getByRole("region", { name: /load too high/ });
    await detail.getByText("one normal point in").waitFor();
    await detail.getByText("its shape beside all earlier ones").waitFor();
    await detail.getByText("Nobody was notified.").waitFor();
    // No earlier stretch is like the spike.
    expect(await detail.getByText("Most similar before").count()).toBe(0);
    await detail.getByLabel("Note").fill("the monthly batch");
    await detail.getByRole("button", { name: "Yes (Y)" }).click();
    await detail.getByText("The next training leaves it out.").waitFor();
    const settings = async () => {
      const answer = await fetch(`${made.world.url}/models/cpu`);
      const [model] = (await answer.json()) as [{ settings: { mute?: object[] } }];
      return model.settings.mute ?? [];
    };
    await detail.getByRole("button", { name: "For 2 hours" }).click();
    await detail.getByText(/Hooks are muted: → /).waitFor();
    expect(await settings()).toEqual([{ until: expect.stringMatching(/:00Z$/) }]);
    await detail.getByRole("button", { name: "Undo" }).click();
    await detail.getByText(/Hooks are muted/).waitFor({ state: "detached" });
    expect(await settings()).toEqual([]);
    await detail.getByRole("button", { name: "Copy the link" }).click();
    await page.reload();
    expect(await detail.getByLabel("Note").inputValue()).toBe("the monthly batch");
    await detail.getByRole("button", { name: "False alarm (N)" }).click();
    await detail.getByText("The next training learns to tolerate it.").waitFor();
    expect(problems).toEqual([]);
    await page.goto(ui("#/models/cpu?at=00000000-0000-4000-8000-000000000000"));
    await page.getByText("This anomaly is gone").waitFor();
    await close();
  });

  test("a model has tabs, each an address of its own; one that is unknown has a sentence", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu"));
    const tabs = page.getByRole("navigation", { name: "Parts of the model" });
    await tabs.getByRole("link", { name: "Chart" }).waitFor();
    expect(await tabs.getByRole("link", { name: "Chart" }).getAttribute("aria-current")).toBe("page");
    await page.goto(ui("#/models/cpu/nothing"));
    await page.getByText("There is no such page.").waitFor();
    await tabs.getByRole("link", { name: "Chart" }).click();
    await page.locator("canvas").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the chart has a table of the same values", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu?range=6h"));
    await page.getByText("As a table").click();
    await page.getByRole("columnheader", { name: "load, observed" }).waitFor();
    expect(await page.getByRole("region", { name: "As a table" }).getByRole("row").count()).toBeGreaterThan(
      60,
    );
    await close();
  });

  test("a model that is gone has a sentence and a way on; keys open pages", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/models/gone"));
    await page.getByText("There is no model gone.").waitFor();
    await page.getByRole("link", { name: "To the models" }).click();
    await page.getByRole("link", { name: "idle" }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.getByRole("heading", { name: "Jobs" }).waitFor();
    await page.getByRole("rowheader", { name: "training" }).waitFor();
    await close();
  });

  test("jobs: filtered in the address, with details", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/jobs"));
    await page.getByRole("rowheader", { name: "training" }).waitFor();
    await page.getByLabel("State").selectOption("failed");
    await page.getByText("No job is like this.").waitFor();
    expect(page.url()).toContain("state=failed");
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByLabel("Model").selectOption("cpu");
    await page.getByRole("button", { name: /^Details of the training/ }).click();
    await page.getByRole("dialog").getByText("Ended").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test(
    "jobs: progress comes with the events, without reading the list again",
    async () => {
      const { page, problems, close } = await openPage(made.browser);
      await page.goto(ui("#/jobs?model=cpu"));
      await page.getByRole("rowheader", { name: "training" }).waitFor();
      const body = JSON.stringify({ from: "now-8d", max_evals: 40, epochs: 400, bg: true });
      const headers = { "content-type": "application/json" };
      const started = await fetch(`${made.world.url}/models/cpu/_train`, { method: "POST", headers, body });
      expect(started.status).toBeLessThan(300);
      const cancel = page.getByRole("button", { name: "Cancel training of cpu" });
      await page.locator("progress").waitFor();
      await page.route(/\/jobs\?/, () => {});
      const shares = new Set<string>();
      for (let i = 0; i < 3; i++) {
        const others = [...shares].map((share) => `:not([value="${share}"])`).join("");
        shares.add((await page.locator(`progress[value]${others}`).getAttribute("value"))!);
      }
      expect(shares.size).toBe(3);
      await page.unroute(/\/jobs\?/);
      await cancel.click();
      await cancel.waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Run again: training cpu" }).click();
      await cancel.click();
      await cancel.waitFor({ state: "detached" });
      expect(await page.getByRole("button", { name: "Run again: training cpu" }).count()).toBe(2);
      expect(problems).toEqual([]);
      await close();
    },
    TRAINING_MS,
  );

  test("what another client does shows at once", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models"));
    await page.getByRole("link", { name: "idle" }).waitFor();
    const features = [{ name: "v", metric: "avg", field: "v" }];
    const model = { name: "later", type: "donut", default_bucket: "b", bucket_interval: "5m", features };
    const headers = { "content-type": "application/json" };
    await fetch(`${made.world.url}/models`, { method: "POST", headers, body: JSON.stringify(model) });
    // Well before the page would ask by itself.
    await page.getByRole("link", { name: "later" }).waitFor({ timeout: 8000 });
    await fetch(`${made.world.url}/models/later`, { method: "DELETE" });
    await page.getByRole("link", { name: "later" }).waitFor({ state: "detached", timeout: 8000 });
    // The picture of a model may be asked for while it is deleted.
    expect(problems.filter((line) => !line.includes("404 (Not Found)"))).toEqual([]);
    await close();
  });

  test("five tabs at once: each shows a change, and answers", async () => {
    const context = await made.browser.newContext({ locale: "en-US" });
    context.setDefaultTimeout(60_000);
    const pages = [];
    for (let i = 0; i < 5; i++) {
      const page = await context.newPage();
      await page.goto(ui("#/models"));
      await page.getByRole("link", { name: "cpu" }).waitFor();
      pages.push(page);
    }
    const settings = { name: "fifth", type: "donut", default_bucket: "b", bucket_interval: 300, span: 24 };
    const features = [{ name: "load", metric: "avg", field: "load" }];
    await fetch(`${made.world.url}/models`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...settings, features }),
    });
    await Promise.all(pages.map((page) => page.getByRole("link", { name: "fifth" }).waitFor()));
    for (const page of pages) {
      await page.goto(ui("#/jobs"));
      await page.getByRole("heading", { name: "Jobs" }).waitFor();
    }
    await fetch(`${made.world.url}/models/fifth`, { method: "DELETE" });
    await context.close();
  });

  test("a device whose clock is off: said, and charts show the server's last day", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.addInitScript("{ const now = Date.now; Date.now = () => now() - 3 * 3600000; }");
    await page.goto(ui("#/models/cpu?range=1d"));
    await page.getByText("The clock of this device is 3 h behind the server's").waitFor();
    await page.getByRole("slider", { name: "Shown range among all data" }).press("PageDown");
    await page.waitForURL(/from=\d+&to=\d+/);
    const { to } = Object.fromEntries(new URLSearchParams(page.url().split("?")[1]));
    expect(Math.abs(Date.now() / 1000 - 86_400 - Number(to))).toBeLessThan(600);
    expect(problems).toEqual([]);
    await close();
  });

  test("language, theme and zone are kept", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/settings"));
    await page.getByLabel("Language").selectOption("de");
    await page.getByText("gibt es nur auf Englisch").waitFor();
    await page.getByLabel("Farben").selectOption("dark");
    await page.reload();
    await page.getByRole("heading", { name: "Einstellungen" }).waitFor();
    const scheme = await page.evaluate("getComputedStyle(document.documentElement).colorScheme");
    expect(scheme).toBe("dark");
    expect(problems).toEqual([]);
    await close();
  });

  test("the rail counts anomalies in progress, and again when one changes; a phone has four pages and more", async () => {
    const { page, problems, close } = await openPage(made.browser, { viewport: { width: 360, height: 740 } });
    const open: object[] = [{}, {}];
    await page.route("**/anomalies?state=open", (route) => route.fulfill({ json: open }));
    await page.goto(ui("#/models"));
    await page.getByRole("link", { name: "Anomalies 2 in progress" }).waitFor();
    expect(await page.getByRole("link", { name: "Schedules" }).isVisible()).toBe(false);
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("link", { name: "Schedules" }).click();
    await page.getByRole("heading", { name: "Schedules" }).waitFor();
    expect(await page.getByRole("link", { name: "Schedules" }).isVisible()).toBe(false);
    open.pop();
    const path = `${made.world.url}/models/cpu/anomalies`;
    const [anomaly] = (await (await fetch(`${path}?from=now-2d`)).json()) as [{ id: string }];
    await fetch(`${path}/${anomaly.id}/_feedback`, { method: "DELETE" });
    const judged = {
      method: "POST",
      body: '{"anomaly":true}',
      headers: { "content-type": "application/json" },
    };
    await fetch(`${path}/${anomaly.id}/_feedback`, judged);
    await page.getByRole("link", { name: "Anomalies 1 in progress" }).waitFor();
    await fetch(`${path}/${anomaly.id}/_feedback`, { method: "DELETE" });
    expect(problems).toEqual([]);
    await close();
  });

  test("a series of zooms is drawn on the same chart at once, and read after its last", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/cpu?range=1d"));
    await page.locator(".plot canvas").first().waitFor();
    const chart = await page.locator(".plot canvas").first().elementHandle();
    const label = page.locator(".plot").first();
    const before = await label.getAttribute("aria-label");
    const reads: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("points=1200&parts=observed")) reads.push(request.url());
    });
    await page.evaluate(`for (const key of ["-", "-", "-", "+", "-"])
      dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }))`);
    await page
      .locator(`.plot:not([aria-label=${JSON.stringify(before)}]):not([aria-label="score"])`)
      .first()
      .waitFor();
    const { from, to } = Object.fromEntries(new URLSearchParams(new URL(page.url()).hash.split("?")[1]));
    expect(Number(to) - Number(from)).toBeCloseTo(8 * 86_400, -1);
    expect(reads.at(-1)).toContain(`from=${from}&to=${to}&`);
    expect(reads.length).toBeLessThan(4);
    expect(await chart!.evaluate((node) => (node as unknown as { isConnected: boolean }).isConnected)).toBe(
      true,
    );
    expect(problems).toEqual([]);
    await close();
  });

  test("silence and bounds ahead of a model are said in the list and on its page", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const now = Math.floor(Date.now() / 1000);
    const bound = { feature: "load", type: "high", threshold: 95, made: now, first: now + 5 * 86_400 + 60 };
    const forecasts = [
      { ...bound, active: true },
      { ...bound, threshold: 99, active: false },
    ];
    await page.route(/\/models(\/cpu)?(\?.*)?$/, async (route) => {
      const response = await route.fetch();
      const models = (await response.json()) as { settings: { name: string }; live?: object }[];
      for (const model of models)
        if (model.settings.name === "cpu")
          model.live = {
            started: now,
            offset: 0,
            failures: 0,
            missed: 0,
            silence: { since: now },
            forecasts,
          };
      await route.fulfill({ response, json: models });
    });
    await page.goto(ui("#/models"));
    const row = page.getByRole("row", { name: /cpu/ });
    await row.getByText(/^no points since \d\d:\d\d$/).waitFor();
    await row.getByText(/^load above 95 in 5 d/).waitFor();
    expect(await row.getByText(/load above 99/).count()).toBe(0);
    await page.getByRole("link", { name: "cpu", exact: true }).click();
    await page
      .locator("header.head")
      .getByText(/^load above 99 in 5 d/)
      .waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("on a phone nothing is wider than the screen", async () => {
    const { page, problems, close } = await openPage(made.browser, { viewport: { width: 360, height: 740 } });
    const tabs = ["?range=1d", "/forecast", "/versions", "/settings"].map((tab) => `#/models/cpu${tab}`);
    for (const hash of [
      "#/models",
      ...tabs,
      "#/anomalies",
      "#/jobs",
      "#/schedules",
      "#/hooks",
      "#/settings",
    ]) {
      await page.goto(ui(hash));
      await page.getByRole("heading", { level: 1 }).waitFor();
      // The form comes after the heading of its page.
      if (hash === "#/models/cpu/settings") await page.locator("fieldset").first().waitFor();
      // The screen before is there until the next one is drawn.
      await untilTrue(page, "document.documentElement.scrollWidth === innerWidth");
    }
    expect(problems).toEqual([]);
    await close();
  });

  test("tokens: a wrong one is refused; a reader sees no buttons that change, also after a reload", async () => {
    const dataDir = temporaryFolder();
    const list = `[{name: a, scope: admin, token: ${tokens.admin}}, {name: r, scope: read, token: ${tokens.read}}]`;
    await Bun.write(`${dataDir}.yml`, `server: {auth: {tokens: ${list}}}\n`);
    const server = await startServer({ dataDir, args: ["--config", `${dataDir}.yml`] });
    const features = [{ name: "v", metric: "avg", field: "v" }];
    const model = { name: "m", type: "donut", default_bucket: "b", bucket_interval: "5m", features };
    const headers = { authorization: `Bearer ${tokens.admin}`, "content-type": "application/json" };
    await fetch(`${server.url}/models`, { method: "POST", headers, body: JSON.stringify(model) });
    const { page, close } = await openPage(made.browser);
    await page.goto(`${server.url}/ui/#/models`);
    await page.getByLabel("Token").fill("wrong-token-of-some-length-0000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("does not accept this token").waitFor();
    await page.getByLabel("Token").fill(tokens.read);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "m", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /Train|Start|Stop/ }).count()).toBe(0);
    await page.getByText("Read only").waitFor();
    expect(page.url()).not.toContain("reader");
    await page.reload();
    await page.getByRole("link", { name: "m", exact: true }).waitFor();
    await close();
    await server.stop();
  });

  test("a server that goes away and comes back: said, and gone on from", async () => {
    const dataDir = temporaryFolder();
    const first = await startServer({ dataDir });
    const { page, close } = await openPage(made.browser);
    await page.goto(`${first.url}/ui/#/jobs`);
    await page.getByText("No jobs.").waitFor();
    const { port } = new URL(first.url);
    await first.kill();
    await page.getByText(/Not connected since/).waitFor();
    // A screen whose files the page has not loaded yet.
    await page.evaluate('location.hash = "#/anomalies"');
    await page.getByText("The server does not answer.").waitFor();
    // Not the browser's own page of an error.
    await page.getByRole("button", { name: "Try again" }).waitFor();
    await page.evaluate('location.hash = "#/jobs"');
    const second = await startServer({ dataDir, args: ["--listen", `localhost:${port}`] });
    await page.getByText(/Not connected since/).waitFor({ state: "detached" });
    await close();
    await second.stop();
  });
});
