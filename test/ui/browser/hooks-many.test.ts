// Many hooks in a real browser: a line each that opens, failed ones first, found by words and state, in pages.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const HOOKS = 24;
/** Hooks on a page of the list. */
const PAGE = 20;
/** CSS pixels of a line on a phone, with its border. */
const LINE = 64;
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
    await card.getByText(/refused the connection/).waitFor();
    expect(await cards(page).count()).toBe(PAGE);
    expect(await tests.count()).toBe(0);
    expect((await cards(page).nth(1).boundingBox())!.height).toBeLessThan(LINE);

    await card.getByRole("heading", { name: "team-1" }).click();
    await card.getByRole("button", { name: "Change team-1" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await card.getByRole("button", { name: "Test team-1" }).waitFor();

    await page.getByRole("button", { name: /^New hook/ }).click();
    await page.getByLabel("Name of the hook").fill("added");
    await page.getByLabel(/^Address/).fill("http://localhost:9/");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("region", { name: "added" }).getByRole("button", { name: "Test added" }).waitFor();
    expect(problems).toEqual([]);
    for (let i = 0; i < HOOKS; i++) await fetch(`${made.world.url}${path}/team-${i}`, { method: "DELETE" });
    await fetch(`${made.world.url}${path}/added`, { method: "DELETE" });
    await close();
  });

  test("those of a model and global ones are one list: failed first, by state, by words, in pages", async () => {
    const server = made.world.url;
    // Other names: a hook that is made again has its old deliveries.
    await put("/models/idle/hooks", HOOKS, 2 * HOOKS);
    await put("/hooks", 2 * HOOKS, 3 * HOOKS);
    const failing = `team-${3 * HOOKS - 1}`;
    await fetch(`${server}/hooks/${failing}/_test`, { method: "POST" });
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${server}/ui/#/models/idle/hooks`);
    const pages = page.getByRole("navigation", { name: "Hooks", exact: true });
    await pages.getByText("1 to 20 of 48").waitFor();
    // The first attempt may be on its way when the list is read.
    await page.getByRole("button", { name: "failing 1" }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: "failing 1" }).waitFor();
    expect(await cards(page).first().getAttribute("aria-label")).toBe(failing);
    await pages.getByRole("button", { name: "Next page" }).click();
    await pages.getByText("21 to 40 of 48").waitFor();

    await page.getByRole("button", { name: "All 48" }).click();
    await page.getByRole("button", { name: "failing 1" }).click();
    await page.waitForURL(/state=failing/);
    expect(await cards(page).count()).toBe(1);
    await page.getByRole("button", { name: "All 48" }).click();
    const search = page.getByRole("searchbox", { name: "Search hooks" });
    await search.fill("TEAM-47");
    await page.waitForURL(/q=TEAM-47/);
    expect(await cards(page).count()).toBe(1);
    await search.fill("nobody");
    await page.getByText("No hook fits.").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();

    // It is changed where all see that it is changed for all.
    await search.fill(failing);
    await page.getByRole("heading", { name: failing }).click();
    await page.getByRole("button", { name: `Test ${failing}` }).waitFor();
    expect(await page.getByRole("button", { name: `Delete ${failing}` }).count()).toBe(0);
    await page.getByRole("link", { name: `Change ${failing}` }).click();
    await page.getByRole("heading", { level: 1, name: "Hooks" }).waitFor();
    expect(await search.inputValue()).toBe(failing);
    await page.getByRole("heading", { name: failing }).click();
    await page.getByRole("button", { name: `Change ${failing}` }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });
});
