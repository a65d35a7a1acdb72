// Site in a browser, opened from a folder: search by keyboard, a narrow screen, accessibility in both themes.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { buildSite, writeSite } from "../../.ci/site/index.ts";
import { browserMissing, launchBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/folder.ts";

setDefaultTimeout(60_000);
if (browserMissing) console.warn(browserMissing);

const NARROW = { width: 360, height: 740 };
const findings =
  "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))";

describe.skipIf(browserMissing !== undefined)("the site", () => {
  const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
  const folder = temporaryFolder();
  let browser: Browser;
  let pages: string[];
  beforeAll(async () => {
    const files = await buildSite();
    writeSite(files, folder);
    pages = files.map(({ name }) => name).filter((name) => name.endsWith(".html"));
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  async function open(name: string, options: BrowserContextOptions = {}): Promise<Page> {
    const context = await browser.newContext(options);
    const page = await context.newPage();
    await page.goto(`file://${join(folder, name)}`);
    return page;
  }

  test("finds a section by keyboard, and tells how many there are", async () => {
    const page = await open("index.html");
    const failures: string[] = [];
    page.on("console", (message) => message.type() === "error" && failures.push(message.text()));
    await page.keyboard.press("/");
    await page.keyboard.type("global hooks");
    await page.getByRole("link", { name: /^Hooks › Global hooks/ }).waitFor();
    expect(await page.getByRole("status").textContent()).toMatch(/^\d+ sections?$/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForURL(/hooks\.html#global-hooks$/);
    expect(failures).toEqual([]);
    await page.context().close();
  });

  test("says that nothing is found, and closes by Escape", async () => {
    const page = await open("index.html");
    await page.getByLabel("Search the documentation").fill("<b>zzyzx");
    await page.getByRole("listitem").filter({ hasText: "Nothing found" }).waitFor();
    expect(await page.getByRole("status").textContent()).toBe("Nothing found");
    await page.keyboard.press("Escape");
    expect(await page.locator("#results").isHidden()).toBe(true);
    await page.context().close();
  });

  test("fits a narrow screen on every page", async () => {
    const page = await open("index.html", { viewport: NARROW });
    const wide: string[] = [];
    for (const name of pages) {
      await page.goto(`file://${join(folder, name)}`, { waitUntil: "domcontentloaded" });
      const width = await page.evaluate("document.documentElement.scrollWidth");
      if (width !== NARROW.width) wide.push(`${name}: ${width}`);
    }
    expect(wide).toEqual([]);
    await page.context().close();
  });

  test.each(["light", "dark"] as const)("%s: axe finds nothing", async (colorScheme) => {
    // The policy of the page would refuse the script of the test itself.
    const page = await open("index.html", { colorScheme, bypassCSP: true });
    for (const name of ["index.html", "hooks.html", "settings.html"]) {
      await page.goto(`file://${join(folder, name)}`);
      await page.evaluate(axe);
      expect([name, await page.evaluate(findings)]).toEqual([name, []]);
    }
    await page.context().close();
  });
});
