// An open page of the dashboard for a long time: changed models arrive as events, its screens are opened in turn.
import type { Browser, CDPSession, Page } from "playwright-core";

const MIB = 1024 * 1024;
const SECOND_MS = 1000;

export interface PagePlan {
  readonly seconds: number;
  /** Changes of models in each second, of `model-0` on. */
  readonly eventsPerS: number;
  /** Hashes of screens, of which the next is opened every `turnS`; the list stays without any. */
  readonly screens?: readonly string[];
  readonly turnS?: number;
  /** Called once a minute. */
  readonly onHeap?: (minute: number, heapMib: number) => void;
}

export interface SoakedPage {
  /** After a collection, in MiB: once the page is loaded, then each minute, and at the end. */
  readonly heapMib: readonly number[];
  readonly events: number;
}

/** Keeps a page of the list open at a server that has the models. */
export async function soakPage(browser: Browser, url: string, plan: PagePlan): Promise<SoakedPage> {
  const { seconds, eventsPerS, screens = [], turnS = 10, onHeap } = plan;
  const page = await browser.newPage();
  const cdp = await page.context().newCDPSession(page);
  await page.goto(`${url}/ui/`);
  await page.locator("table.models tbody tr").first().waitFor();
  const heapMib = [await heapOf(cdp)];
  for (let second = 0; second < seconds; second++) {
    const nextAt = performance.now() + SECOND_MS;
    if (screens.length > 0 && second % turnS === 0)
      await openScreen(page, screens[(second / turnS) % screens.length]!);
    await changeModels(url, eventsPerS, second);
    if (second % 60 === 59) {
      heapMib.push(await heapOf(cdp));
      onHeap?.((second + 1) / 60, heapMib.at(-1)!);
    }
    await Bun.sleep(Math.max(0, nextAt - performance.now()));
  }
  if (seconds % 60 !== 0) heapMib.push(await heapOf(cdp));
  await page.close();
  return { heapMib, events: seconds * eventsPerS };
}

async function openScreen(page: Page, hash: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
}

async function changeModels(url: string, count: number, second: number): Promise<void> {
  const body = JSON.stringify({ min_duration: 1 + (second % 2) });
  const headers = { "content-type": "application/json" };
  const changes = Array.from({ length: count }, async (_, i) => {
    const answer = await fetch(`${url}/models/model-${i}`, { method: "PATCH", headers, body });
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  });
  await Promise.all(changes);
}

async function heapOf(cdp: CDPSession): Promise<number> {
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / MIB;
}
