// Many hooks in a real browser: a line each, with details that open; few are open at first.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const HOOKS = 24;
/** CSS pixels of a card with one line. */
const LINE = 60;
const phone = { width: 390, height: 844 };

describe.skipIf(browserMissing !== undefined)("hooks", () => {
  const made = useBrowserWorld();

  async function put(path: string, from: number, to: number): Promise<void> {
    for (let i = from; i < to; i++) {
      const name = `team-${i}`;
      // Nothing listens there.
      const body = JSON.stringify({ name, type: "webhook", config: { url: "http://localhost:9/" } });
      const headers = { "content-type": "application/json" };
      await fetch(`${made.world.url}${path}`, { method: "PUT", headers, body });
    }
  }

  const cards = (page: Page) => page.getByRole("region", { name: /^team-/ });

  test.each([
    ["global", "/hooks", "#/hooks"],
    ["of a model", "/models/idle/hooks", "#/models/idle/hooks"],
  ])("%s: few are open, many are a line each, and a new one is open", async (_title, path, hash) => {
    await put(path, 0, 3);
    const { page, problems, close } = await openPage(made.browser, { viewport: phone });
    await page.goto(`${made.world.url}/ui/${hash}`);
    const tests = cards(page).getByRole("button", { name: /^Test/ });
    await tests.nth(2).waitFor();

    await put(path, 3, HOOKS);
    await fetch(`${made.world.url}${path}/team-1/_test`, { method: "POST" });
    await page.reload();
    const card = page.getByRole("region", { name: "team-1", exact: true });
    await card.getByText(/not arrived yet/).waitFor();
    expect(await cards(page).count()).toBe(HOOKS);
    expect(await tests.count()).toBe(0);
    expect((await cards(page).first().boundingBox())!.height).toBeLessThan(LINE);

    await card.getByRole("heading", { name: "team-1" }).click();
    await card
      .getByText(/refused the connection/)
      .first()
      .waitFor();
    await card.getByRole("button", { name: "Change team-1" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Test team-1" }).waitFor();

    await page.getByRole("button", { name: /^New hook/ }).click();
    await page.getByLabel("Name of the hook").fill("added");
    await page.getByLabel(/^Address/).fill("http://localhost:9/");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("region", { name: "added" }).getByRole("button", { name: "Test added" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("global ones of a model are folded where there are many, unless one fails", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/models/cpu/hooks`);
    const tests = page.getByRole("listitem").getByRole("button", { name: /^Test team-/ });
    await tests.nth(HOOKS - 1).waitFor();
    await fetch(`${made.world.url}/hooks/team-1`, { method: "DELETE" });
    await page.reload();
    await page.getByRole("heading", { name: "Also notified" }).waitFor();
    expect(await tests.count()).toBe(0);
    await page.getByRole("heading", { name: "Also notified" }).click();
    await tests.nth(HOOKS - 2).waitFor();
    await close();
  });

  test("those of models are listed in pages", async () => {
    const { page, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/#/hooks`);
    const pages = page.getByRole("navigation", { name: "Of single models" });
    await pages.getByText("1 to 20 of 25").waitFor();
    await pages.getByRole("button", { name: "Next page" }).click();
    await pages.getByText("21 to 25 of 25").waitFor();
    await close();
  });
});
