// Screens on displays of every width: nothing is wider than the display, or sticks out of its card.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Locator, Page, Request } from "playwright-core";
import { ModelSettings } from "../../../src/core/model/model.ts";
import { models as germanOf } from "../../../src/ui/texts/de-fields/models.ts";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { perFile } from "../../support/per-test.ts";
import { addLongLimits, addLongModels, longModel, makeLongWorld, ofLongNames } from "./long-world.ts";
import { screens } from "./screens.ts";
import { JOURNEY_TIMEOUT_MS, openPage, untilTrue, type World } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const widths = [320, 360, 390, 768, 1400] as const;
const HEIGHT = 844;
/** Delay of answers, and between those that are asked together. */
const DELAY_MS = 300;
const STAGGER_MS = 60;

/** Elements that stick out of the display or of their card, but for those in a box that scrolls. */
const tooWide = `(() => {
  const limit = document.documentElement.clientWidth;
  const scrolls = (element) => /auto|scroll|hidden/.test(getComputedStyle(element).overflowX);
  const isClipped = (element) => element && element !== document.body && (scrolls(element) || isClipped(element.parentElement));
  const found = [];
  if (document.documentElement.scrollWidth > limit) found.push("page " + document.documentElement.scrollWidth);
  for (const element of document.querySelectorAll("#app main *, dialog *, nav *")) {
    const box = element.getBoundingClientRect();
    if (box.width === 0 || box.height === 0 || element.closest(".hidden, .skip, svg, canvas")) continue;
    if (isClipped(element.parentElement)) continue;
    const card = element.parentElement.closest(".card, .note, dialog, table, .step");
    const right = Math.min(limit, card ? card.getBoundingClientRect().right : limit);
    if (box.right > right + 1 || box.left < -1)
      found.push(element.tagName + "." + element.getAttribute("class") + " " + Math.round(box.right) + " > " + Math.round(right) + " " + element.textContent.slice(0, 30));
  }
  return found.slice(0, 5);
})()`;

/** Whether an answer is still awaited. */
const isShown = `document.querySelector("h1") !== null && document.querySelector(".skeleton") === null`;

/** A world of long names and a browser. @param add more of the world */
function useLongWorld(add: (url: string) => Promise<void> = async () => {}) {
  return perFile<{ world: World; browser: Browser }>(
    async () => {
      const [world, browser] = await Promise.all([makeLongWorld(), launchBrowser()]);
      await add(world.url);
      return { world, browser };
    },
    async ({ world, browser }) => {
      await browser?.close();
      await world?.server.stop();
    },
    JOURNEY_TIMEOUT_MS,
  );
}

async function open(page: Page, { url }: World, hash: string): Promise<void> {
  await page.goto(`${url}/ui/${hash}`);
  await untilTrue(page, isShown);
}

describe.skipIf(browserMissing !== undefined)("widths", () => {
  const made = useLongWorld(addLongLimits);

  test("no screen is wider than its display, whatever the length of names", async () => {
    const { page, close } = await openPage(made.browser);
    for (const hash of screens) {
      await page.setViewportSize({ width: widths[0], height: HEIGHT });
      await open(page, made.world, ofLongNames(hash));
      if (/range|forecast/.test(hash)) await page.locator("canvas").first().waitFor();
      await page.evaluate(`for (const part of document.querySelectorAll("details")) part.open = true`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: HEIGHT });
        expect([hash, width, await page.evaluate(tooWide)]).toEqual([hash, width, []]);
      }
    }
    await close();
  });
});

describe.skipIf(browserMissing !== undefined)("layout", () => {
  const made = useLongWorld(addLongModels);

  test("all pages are in a sheet on phones: Escape and a tap outside close it, the focus returns", async () => {
    const { page, problems, close } = await openPage(made.browser, {
      viewport: { width: 320, height: HEIGHT },
    });
    await open(page, made.world, "#/models");
    const more = page.getByRole("button", { name: "More" });
    const sheet = page.getByRole("dialog", { name: "All pages" });
    const hasFocus = () => more.evaluate((button) => button === button.ownerDocument.activeElement);
    await more.click();
    await sheet.waitFor();
    expect(await sheet.getByRole("link").count()).toBe(11);
    expect(await sheet.evaluate((dialog) => dialog.contains(dialog.ownerDocument.activeElement))).toBe(true);
    expect(await page.evaluate(tooWide)).toEqual([]);
    const { y, height } = (await sheet.boundingBox())!;
    expect([Math.round(y + height), y > 200]).toEqual([HEIGHT, true]);
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "detached" });
    expect(await hasFocus()).toBe(true);
    await more.click();
    await sheet.waitFor();
    await page.mouse.click(160, 40);
    await sheet.waitFor({ state: "detached" });
    expect(await hasFocus()).toBe(true);
    await more.click();
    await sheet.getByRole("link", { name: /^UTC/ }).click();
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    expect(await sheet.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("on a phone the bar and the tabs of a model fit in German", async () => {
    const { page, close } = await openPage(made.browser, {
      viewport: { width: 320, height: HEIGHT },
      locale: "de-DE",
    });
    await open(page, made.world, `#/models/${longModel}/settings`);
    await page.locator(".index").waitFor();
    const { description } = ModelSettings.properties.features;
    await page.getByText(germanOf[description!]!).first().waitFor();
    expect(await page.evaluate(tooWide)).toEqual([]);
    const more = (await page.getByRole("button", { name: "Mehr" }).boundingBox())!;
    expect(more.x + more.width).toBeLessThanOrEqual(320);
    const tabs = page.getByRole("navigation", { name: "Teile des Modells" }).getByRole("link");
    expect(await tabs.count()).toBe(6);
    for (const tab of await tabs.all()) {
      const { x, width } = (await tab.boundingBox())!;
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(320);
    }
    await close();
  });

  test("words in the heads of rows stay whole on a small screen, where a card is as wide as the page", async () => {
    const { page, close } = await openPage(made.browser, { viewport: { width: 768, height: HEIGHT } });
    const linesOf = (selector: string) =>
      page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
        const range = document.createRange();
        range.selectNodeContents(element.firstChild);
        return range.getClientRects().length;
      })`) as Promise<readonly number[]>;
    await open(page, made.world, "#/jobs");
    await page.locator("th.words").first().waitFor();
    expect(new Set(await linesOf("th.words"))).toEqual(new Set([1]));
    await open(page, made.world, `#/models/${longModel}/versions`);
    await page.locator("th .tag").waitFor();
    expect(await linesOf("th .tag")).toEqual([1]);
    await open(page, made.world, "#/models");
    const name = 'th a[href$="/idle"]';
    await page.locator(name).waitFor();
    expect(await linesOf(name)).toEqual([1]);
    await open(page, made.world, "#/new");
    const [steps, look] = await page.locator(".wizard > *").all();
    expect((await steps!.boundingBox())!.width).toBe((await look!.boundingBox())!.width);
    await close();
  });

  test("cards leave out what a model has not, and are as wide as their pictures", async () => {
    const { page, close } = await openPage(made.browser);
    await open(page, made.world, "#/models");
    const row = page.getByRole("row", { name: /another0/ });
    const newest = row.locator("td:nth-child(5)");
    await newest.waitFor();
    expect(await newest.textContent()).toBe("–");
    for (const [width, least] of [
      [768, 120],
      [390, 200],
    ] as const) {
      await page.setViewportSize({ width, height: HEIGHT });
      expect(
        await row
          .getByText(/^(–|no score)$/)
          .filter({ visible: true })
          .count(),
      ).toBe(0);
      const picture = page.locator(".lately:has(.line)").first();
      await picture.waitFor();
      expect((await picture.boundingBox())!.width).toBeGreaterThan(least);
    }
    await close();
  });

  test("the buttons that move and zoom the chart are on one line, beside the day on a phone", async () => {
    const { page, close } = await openPage(made.browser, { viewport: { width: 390, height: HEIGHT } });
    await open(page, made.world, `#/models/${longModel}?range=1d`);
    const middleOf = async (of: Locator) => {
      const { y, height } = (await of.boundingBox())!;
      return y + height / 2;
    };
    const bar = page.getByRole("group", { name: "Range" });
    const day = await middleOf(bar.getByLabel("Day"));
    const buttons = await bar.getByRole("button", { name: /^(Earlier|Later|Zoom)/ }).all();
    expect(buttons).toHaveLength(4);
    for (const button of buttons) expect(Math.abs((await middleOf(button)) - day)).toBeLessThan(2);
    await close();
  });

  test("on a phone verdicts stay whole, the link stands below its title, and no keys are named", async () => {
    const viewport = { width: 390, height: HEIGHT };
    const { page, close } = await openPage(made.browser, { viewport, isMobile: true, hasTouch: true });
    await open(page, made.world, "#/report");
    const dismissed = page.locator(".dismissed").first();
    await dismissed.waitFor();
    expect(await dismissed.evaluate((element) => element.getClientRects().length)).toBe(1);
    await open(page, made.world, "#/anomalies");
    const keys = page.getByText("J K move");
    await keys.waitFor({ state: "attached" });
    expect(await keys.isVisible()).toBe(false);
    await page.locator(`.inbox a[href*="${longModel}"]`).first().click();
    const link = page.getByRole("button", { name: "Copy the link" });
    const { x } = (await link.boundingBox())!;
    expect(x).toBe((await page.locator("#detail-title").boundingBox())!.x);
    await close();
  });

  test("where fingers point tabs and labels of checkboxes are 44 pixels high", async () => {
    const viewport = { width: 390, height: HEIGHT };
    const { page, close } = await openPage(made.browser, { viewport, isMobile: true, hasTouch: true });
    await open(page, made.world, `#/models/${longModel}/versions`);
    await page.locator("th .check").first().waitFor();
    for (const target of await page.locator(".tabs a, th .check").all())
      expect((await target.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await close();
  });

  test("the list looks the same before and after another screen", async () => {
    const { page, close } = await openPage(made.browser);
    const look = `[...document.querySelectorAll("#app *")].map((element) => {
      const { color, backgroundColor, font, display, padding, border } = getComputedStyle(element);
      return [element.tagName, color, backgroundColor, font, display, padding, border].join(" ");
    })`;
    const isRead = `document.querySelector("table.cards td:nth-child(5) a") !== null
      && document.querySelector(".lately .line") !== null`;
    await open(page, made.world, "#/models");
    await untilTrue(page, isRead);
    const before = await page.evaluate(look);
    await open(page, made.world, "#/hooks");
    await open(page, made.world, "#/models");
    await untilTrue(page, isRead);
    expect(await page.evaluate(look)).toEqual(before);
    await close();
  });

  test.each([
    "#/anomalies",
    "#/hooks",
    "#/buckets",
  ])("%s does not jump while answers are slow", async (hash) => {
    const { page, close } = await openPage(made.browser);
    await page.addInitScript(`
      window.shifts = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifts += entry.value;
      }).observe({ type: "layout-shift", buffered: true });
    `);
    const pending = new Set<Request>();
    page.on("request", (request) => {
      // The stream of events never ends.
      if (!request.url().endsWith("/events")) pending.add(request);
    });
    page.on("requestfinished", (request) => void pending.delete(request));
    page.on("requestfailed", (request) => void pending.delete(request));
    let asked = 0;
    await page.route(
      ({ pathname }) => !pathname.startsWith("/ui"),
      async (route) => {
        await Bun.sleep(DELAY_MS + STAGGER_MS * (asked++ % 4));
        // A page that is left asks no more.
        await route.continue().catch(() => undefined);
      },
    );
    await open(page, made.world, hash);
    await untilTrue(page, `document.querySelector(".card, table") !== null`);
    do {
      await page.evaluate(
        "new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))",
      );
    } while (pending.size > 0);
    expect(await page.evaluate("window.shifts")).toBeLessThan(0.05);
    await close();
  });
});
