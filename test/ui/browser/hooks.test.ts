// Hooks of a model in a real browser: added by kind, tested, changed without their secrets, muted, deleted.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { type Receiver, startReceiver } from "../../support/receiver.ts";
import { JOURNEY_TIMEOUT_MS, makeWorld, openPage, type World } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const POLL_MS = 20;
const headers = { "content-type": "application/json" };

describe.skipIf(browserMissing !== undefined)("hooks", () => {
  let world: World;
  let browser: Browser;
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = startReceiver();
    [world, browser] = await Promise.all([makeWorld(), launchBrowser()]);
  }, JOURNEY_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.server.stop();
    await receiver?.stop();
  });

  const ui = (hash: string) => `${world.url}/ui/${hash}`;
  const read = async (path: string) => (await fetch(`${world.url}${path}`)).json() as Promise<unknown>;

  test("from none to one whose test arrives; its secret is kept, never shown", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/models/cpu/hooks"));
    await page.getByText("No hook is called").waitFor();
    await page.getByRole("navigation", { name: "Torus" }).getByRole("link", { name: "Hooks" }).click();
    await page.getByText("Nobody is notified").waitFor();
    await page.goBack();
    await page.getByRole("button", { name: "webhook", exact: true }).click();
    await page.getByLabel("Name of the hook").fill("ops");
    const address = page.getByLabel(/^Address/);
    await address.fill("nowhere");
    await page.getByText(/^More settings: Secret/).click();
    await page.getByLabel(/^Secret/).fill("key-of-signature");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/must be http/).waitFor();
    expect(await address.getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel(/^Secret/).inputValue()).toBe("key-of-signature");
    await address.fill(`${receiver.url}/hook`);
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("What it would send about the last anomaly:").waitFor();
    await page.getByText(/"status": "firing"/).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Nothing was delivered yet.").waitFor();
    await page.getByRole("button", { name: "Test ops" }).click();
    await page.getByText("● arrived").first().waitFor();
    await page.getByText(/The last 2 deliveries/).click();
    await page.getByRole("row", { name: /start of an anomaly \(test\) .* arrived/ }).waitFor();
    await page.getByRole("row", { name: /end of an anomaly \(test\) .* arrived/ }).waitFor();
    await page.getByRole("navigation", { name: "Torus" }).getByRole("link", { name: "Hooks" }).click();
    const line = page.getByRole("region", { name: "ops" });
    await line.getByText("cpu", { exact: true }).waitFor();
    await line.getByText("● arrived").first().waitFor();
    await line.getByRole("link", { name: "Change ops" }).click();
    await page.getByRole("button", { name: "Change ops" }).click();
    await page.getByText(/^More settings/).click();
    await page.getByRole("button", { name: "Replace: Secret" }).waitFor();
    await address.fill(`${receiver.url}/other`);
    expect(await page.content()).not.toContain("key-of-signature");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    // A stored secret goes to no other place.
    await page.getByText(/must be given again/).waitFor();
    await page.getByRole("button", { name: "Replace: Secret" }).click();
    await page.locator("#config\\.secret").fill("another-key");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Test ops" }).waitFor();
    expect(await read("/models/cpu/hooks/ops")).toMatchObject({ config: { url: `${receiver.url}/other` } });
    // The browser itself reports the refused request.
    expect(problems.filter((line) => !line.includes("400 (Bad Request)"))).toEqual([]);
    await close();
  });

  test("a receiver that refuses is said, with its answer; the hook is deleted", async () => {
    const hook = { name: "broken", type: "webhook", config: { url: `${receiver.url}/broken` } };
    await fetch(`${world.url}/models/idle/hooks`, { method: "PUT", headers, body: JSON.stringify(hook) });
    receiver.behaviour = "refuse";
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/models/idle/hooks"));
    await page.getByRole("button", { name: "Test broken" }).click();
    await page.getByText("✕ refused").first().waitFor();
    await page.getByRole("button", { name: "Delete broken" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No hook is called").waitFor();
    expect(await read("/models/idle/hooks")).toEqual([]);
    // The browser itself reports deliveries that it was reading while the hook was deleted.
    expect(problems.filter((line) => !line.includes("404 (Not Found)"))).toEqual([]);
    receiver.behaviour = "accept";
    await close();
  });

  test("a global hook shows what it would send, and none of its secrets", async () => {
    const hook = { name: "everywhere", type: "slack", config: { url: `${receiver.url}/hunter2` } };
    await fetch(`${world.url}/hooks`, { method: "PUT", headers, body: JSON.stringify(hook) });
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/hooks"));
    await page.getByRole("button", { name: "Preview of everywhere" }).click();
    const dialog = page.getByRole("dialog", { name: "Preview of everywhere" });
    await dialog.getByText("What it would send about the last anomaly:").waitFor();
    expect(await dialog.locator("pre").first().textContent()).toContain("cpu");
    expect(await page.content()).not.toContain("hunter2");
    await dialog.getByRole("button", { name: "Close" }).click();
    expect(problems).toEqual([]);
    await fetch(`${world.url}/hooks/everywhere`, { method: "DELETE" });
    await close();
  });

  test("a global hook is made, tested, changed and deleted; models that it selects name it", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/hooks"));
    await page.getByRole("button", { name: "New hook for all models" }).click();
    await page.getByLabel("Name of the hook").fill("team");
    await page.getByLabel(/^Address/).fill(`${receiver.url}/team`);
    await page.getByLabel(/^Models/).fill("c p u");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText(/must be a model name, as in cpu-/).waitFor();
    await page.getByLabel(/^Models/).fill("cp*\ncpu");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    const card = page.getByRole("region", { name: "team" });
    await card.getByText("cp*, cpu").waitFor();
    expect(await read("/hooks/team")).toMatchObject({ selector: { models: ["cp*", "cpu"] } });
    await card.getByRole("button", { name: "Test team" }).click();
    await card.getByText("● arrived").first().waitFor();
    await card.getByRole("button", { name: "Change team" }).click();
    expect(await page.getByLabel(/^Models/).inputValue()).toBe("cp*\ncpu");
    await page.getByLabel(/^Models/).fill("cpu");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await card.getByText("cpu", { exact: true }).waitFor();

    await card.getByRole("button", { name: "Mute for 2 h: team" }).click();
    await card.getByText(/^muted until /).waitFor();
    expect(await read("/hooks/team")).toMatchObject({ mute: [{ until: expect.any(String) }] });
    await card.getByRole("button", { name: "Unmute team" }).click();
    await card.getByRole("button", { name: "Mute for 2 h: team" }).waitFor();
    await card.getByText(/^muted until /).waitFor({ state: "detached" });
    expect(await read("/hooks/team")).not.toHaveProperty("mute");

    await page.goto(ui("#/models/idle/hooks"));
    await page.getByText("No hook is called").waitFor();
    expect(await page.getByRole("region", { name: "team" }).count()).toBe(0);
    await fetch(`${world.url}/models/cpu/hooks/ops`, { method: "DELETE" });
    await page.goto(ui("#/models/cpu/hooks"));
    await page.getByText("It has no hook of its own").waitFor();
    await page.getByRole("button", { name: "Mute Monday 08:00" }).waitFor();
    const also = page.getByRole("region", { name: "team" });
    await also.getByText("● arrived").first().waitFor();
    const none = page.getByRole("heading", { name: "It has no hook of its own" });
    expect((await also.boundingBox())!.y).toBeLessThan((await none.boundingBox())!.y);
    const before = receiver.posts.length;
    await also.getByRole("button", { name: "Test team" }).click();
    // Ends with the time of the test at the latest.
    while (receiver.posts.length < before + 2) await Bun.sleep(POLL_MS);
    await also.getByRole("link", { name: "Change team" }).click();
    await page.getByRole("button", { name: "Delete team" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("Nobody is notified").waitFor();
    const ops = JSON.stringify({ type: "webhook", config: { url: receiver.url } });
    await fetch(`${world.url}/models/cpu/hooks/ops`, { method: "PUT", headers, body: ops });
    expect(problems.filter((line) => !/400 \(Bad Request\)|404 \(Not Found\)/.test(line))).toEqual([]);
    await close();
  });

  test("events are chosen; another change keeps them, and none is refused", async () => {
    const hook = {
      name: "notices",
      type: "ntfy",
      config: { url: receiver.url, topic: "t" },
      events: ["silence"],
    };
    await fetch(`${world.url}/models/idle/hooks`, { method: "PUT", headers, body: JSON.stringify(hook) });
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/models/idle/hooks"));
    const topic = (name: string) => page.getByRole("checkbox", { name, exact: true });
    const change = () => page.getByRole("button", { name: "Change notices" }).click();
    const save = () => page.getByRole("button", { name: "Save", exact: true }).click();
    const stored = async () => ((await read("/models/idle/hooks/notices")) as { events: unknown }).events;
    await change();
    expect(await topic("No more points").isChecked()).toBe(true);
    expect(await topic("Anomalies").isChecked()).toBe(false);
    await page.getByText(/^More settings/).click();
    await page.locator("summary", { hasText: "Templates" }).last().click();
    await page.getByText("Points are back", { exact: true }).waitFor();
    expect(await page.getByText("Start of an anomaly", { exact: true }).count()).toBe(0);
    await save();
    await page.getByRole("button", { name: "Test notices" }).waitFor();
    expect(await stored()).toEqual(["silence"]);
    await change();
    await topic("No more points").uncheck();
    await save();
    await page.getByText(/must be a list of anomaly/).waitFor();
    await topic("Bound ahead").check();
    await save();
    await page.getByRole("button", { name: "Test notices" }).waitFor();
    expect(await stored()).toEqual(["forecast"]);
    await fetch(`${world.url}/models/idle/hooks/notices`, { method: "DELETE" });
    await close();
  });

  test("a hook is muted at hours of its own, in the zone of the page", async () => {
    const hook = { name: "office", type: "webhook", config: { url: `${receiver.url}/office` } };
    await fetch(`${world.url}/hooks`, { method: "PUT", headers, body: JSON.stringify(hook) });
    const { page, close } = await openPage(browser, { timezoneId: "Asia/Tokyo" });
    await page.goto(ui("#/hooks"));
    await page.getByRole("button", { name: "Change office" }).click();
    await page.getByRole("button", { name: "Add: Mute" }).click();
    await page.getByRole("checkbox", { name: "Sunday" }).check();
    await page.getByLabel("From").fill("8:00");
    await page.getByLabel("To", { exact: true }).fill("24:00");
    const save = page.getByRole("button", { name: "Save", exact: true });
    await save.click();
    await page.getByText("must be HH:MM, as in 22:00").waitFor();
    await page.getByLabel("From").fill("08:00");
    await save.click();
    await page.getByRole("button", { name: "Test office" }).waitFor();
    expect(await read("/hooks/office")).toMatchObject({
      mute: [{ weekdays: ["sunday"], from: "08:00", to: "24:00", timezone: "Asia/Tokyo" }],
    });
    await fetch(`${world.url}/hooks/office`, { method: "DELETE" });
    await close();
  });

  test("hours are muted by dragging and by keys; a conflict is said", async () => {
    const hook = { name: "quiet", type: "webhook", config: { url: `${receiver.url}/quiet` } };
    await fetch(`${world.url}/models/idle/hooks`, { method: "PUT", headers, body: JSON.stringify(hook) });
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/models/idle/hooks"));
    const cell = (name: string) => page.getByRole("button", { name, exact: true });
    await cell("Mute Monday 08:00").hover();
    await page.mouse.down();
    await cell("Mute Monday 09:00").hover();
    await cell("Mute Monday 10:00").hover();
    await page.mouse.up();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    expect(await cell("Mute Tuesday 08:00").getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Save the hours" }).click();
    await page.getByRole("button", { name: "Save the hours", disabled: true }).waitFor();
    await page.getByText("The hours are saved.").waitFor();
    const muted = [
      { weekdays: ["monday"], from: "08:00", to: "11:00" },
      { weekdays: ["tuesday"], from: "08:00", to: "09:00" },
    ];
    expect(await read("/models/idle")).toMatchObject([{ settings: { mute: muted } }]);
    await cell("Mute Sunday 00:00").click();
    const change = JSON.stringify({ min_duration: 2 });
    await fetch(`${world.url}/models/idle`, { method: "PATCH", headers, body: change });
    await page.getByRole("button", { name: "Save the hours" }).click();
    await page.getByText("Another client has changed it meanwhile.").waitFor();
    await page.getByRole("button", { name: "Save the hours" }).click();
    await page.getByRole("button", { name: "Save the hours", disabled: true }).waitFor();
    expect(await read("/models/idle")).toMatchObject([
      {
        settings: { min_duration: 2, mute: [...muted, { weekdays: ["sunday"], from: "00:00", to: "01:00" }] },
      },
    ]);
    await close();
  });

  test("on a phone the hours of a week fit, in cells for fingers; arrows go by what is shown", async () => {
    const viewport = { width: 360, height: 780 };
    const { page, close } = await openPage(browser, { viewport, isMobile: true, hasTouch: true });
    await page.goto(ui("#/models/idle/hooks"));
    const cell = (name: string) => page.getByRole("button", { name, exact: true });
    await cell("Mute Monday 08:00").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Space");
    expect(await cell("Mute Tuesday 09:00").getAttribute("aria-pressed")).toBe("true");
    for (const name of ["Mute Monday 00:00", "Mute Sunday 23:00"]) {
      const { x, width, height } = (await cell(name).boundingBox())!;
      expect(x).toBeGreaterThan(0);
      expect(x + width).toBeLessThan(viewport.width);
      expect(Math.min(width, height)).toBeGreaterThanOrEqual(30);
    }
    await cell("Mute Friday 12:00").dispatchEvent("pointerdown", { isPrimary: true });
    expect(await cell("Mute Friday 12:00").getAttribute("aria-pressed")).toBe("true");
    await cell("Mute Friday 12:00").dispatchEvent("pointercancel");
    expect(await cell("Mute Friday 12:00").getAttribute("aria-pressed")).toBe("false");
    await close();
  });

  test("hours are muted in the zone of the page, and other windows keep theirs", async () => {
    const own = { weekdays: ["monday"], from: "08:00", to: "09:00" };
    const body = JSON.stringify({ mute: [own, { cron: "0 3 * * *", duration: "1h" }] });
    await fetch(`${world.url}/models/idle`, { method: "PATCH", headers, body });
    const { page, problems, close } = await openPage(browser, { timezoneId: "Asia/Tokyo" });
    await page.goto(ui("#/models/idle/hooks"));
    await page.getByText("Times in Asia/Tokyo.").waitFor();
    await page.getByText("0 3 * * *, 1h UTC").waitFor();
    const cell = (name: string) => page.getByRole("button", { name, exact: true });
    expect(await cell("Mute Monday 17:00").getAttribute("aria-pressed")).toBe("true");
    await cell("Mute Sunday 00:00").click();
    await page.getByRole("button", { name: "Save the hours" }).click();
    await page.getByText("The hours are saved.").waitFor();
    const added = { weekdays: ["sunday"], from: "00:00", to: "01:00", timezone: "Asia/Tokyo" };
    const [{ settings }] = (await read("/models/idle")) as [{ settings: { mute: unknown } }];
    expect(settings.mute).toEqual([own, added, { cron: "0 3 * * *", duration: "1h" }]);
    expect(problems).toEqual([]);
    await close();
  });

  test("a model that is gone has a way on; on a phone nothing is wider than the screen", async () => {
    const { page, close } = await openPage(browser, { viewport: { width: 360, height: 740 } });
    await page.goto(ui("#/models/gone/hooks"));
    await page.getByText("There is no model gone.").waitFor();
    await page.getByRole("link", { name: "To the models" }).waitFor();
    await page.goto(ui("#/models/cpu/hooks"));
    await page.getByRole("button", { name: "Mute Sunday 23:00" }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await close();
  });
});
