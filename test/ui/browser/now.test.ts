// First screen in a real browser: what is unusual and what waits for a judgement; first steps on an empty server.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { type ServerProcess, startServer } from "../../support/server-process.ts";
import { JOURNEY_TIMEOUT_MS, openPage, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);

describe.skipIf(browserMissing !== undefined)("now", () => {
  const made = useBrowserWorld([
    { model: "cpu", hoursAgo: 2, isOpen: true },
    { model: "idle", hoursAgo: 20 },
    { model: "idle", hoursAgo: 2.1 },
  ]);

  test("an anomaly in progress has its sentence and picture; both lists are judged", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/`);
    const unusual = page.getByRole("region", { name: "Unusual now" });
    await unusual.getByText("load too high: 70, not 20").waitFor();
    await unusual.locator("svg path.line[d^=M]").waitFor({ state: "attached" });
    await unusual.getByRole("button", { name: "It was one" }).click();
    await unusual.getByText("confirmed").waitFor();
    const asked = page.getByRole("list").last();
    await asked.getByRole("link", { name: "idle" }).nth(1).waitFor();
    await asked.getByRole("button", { name: "False alarm" }).first().click();
    await asked.getByRole("link", { name: "idle" }).nth(1).waitFor({ state: "detached" });
    await asked.getByRole("button", { name: "False alarm" }).click();
    await page.getByRole("heading", { name: "Was it an anomaly?" }).waitFor({ state: "detached" });
    await unusual.getByRole("link", { name: "cpu" }).click();
    await page.getByRole("img", { name: /load of cpu/ }).waitFor();
    const detail = page.getByRole("region", { name: /load too high/ });
    // These anomalies were put into the state without scores.
    await detail.getByRole("heading", { name: "What else moved" }).waitFor();
    await detail.getByText(/^Nothing: of \d+ watched series/).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the address for links in mails is asked for once, and changed in the settings", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const known = async () =>
      ((await (await fetch(`${made.world.url}/session`)).json()) as { external_url?: string }).external_url;
    await page.goto(`${made.world.url}/ui/`);
    const field = page.getByLabel("Mails and chats carry no links yet.");
    await field.fill("https://torus.example.org/");
    await page.getByRole("button", { name: "Use this address" }).click();
    await field.waitFor({ state: "detached" });
    expect(await known()).toBe("https://torus.example.org");
    await page.goto(`${made.world.url}/ui/#/settings`);
    await page.getByLabel("Mails and chats link to this address").fill("");
    await page.getByRole("button", { name: "Use this address" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await known()).toBeUndefined();
    await page.goto(`${made.world.url}/ui/#/now`);
    await page.getByRole("button", { name: "Not now" }).click();
    await page.reload();
    await page.getByRole("region", { name: "Unusual now" }).waitFor();
    expect(await field.count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("the counts of states lead to the list", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(`${made.world.url}/ui/`);
    await page.getByRole("link", { name: /untrained 1/ }).click();
    await page.getByRole("row", { name: /untrained idle/ }).waitFor();
    expect(page.url()).toContain("#/models?state=untrained");
    expect(problems).toEqual([]);
    await close();
  });
});

describe.skipIf(browserMissing !== undefined)("first steps", () => {
  let server: ServerProcess;
  let browser: Browser;
  beforeAll(async () => {
    const env = { TORUS_TRAINING_STEPS: "50" };
    [server, browser] = await Promise.all([
      startServer({ dataDir: temporaryFolder(), env }),
      launchBrowser(),
    ]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  test("a file becomes a bucket of its name, and leads to a new model", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(`${server.url}/ui/`);
    const rows = Array.from({ length: 48 }, (_, i) => `${1_700_000_000 + 3600 * i},${i % 24}`);
    const buffer = Buffer.from(["time,visits", ...rows].join("\n"));
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "my shop.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Write the points" }).click();
    await page.getByRole("heading", { name: "New model" }).waitFor();
    expect(page.url()).toContain("bucket=my_shop");
    await page.getByRole("option", { name: /visits/, selected: true }).waitFor();
    // The second file of that name gets a bucket of its own.
    await page.goto(`${server.url}/ui/#/now`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "my shop.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Write the points" }).click();
    await page.waitForURL(/bucket=my_shop-2/);
    expect(problems).toEqual([]);
    await close();
  });

  test("sample data is watched after a click, and goes with another", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(`${server.url}/ui/`);
    await page.getByRole("button", { name: "Try with sample data" }).click();
    await page.getByText("The models named sample- watch made-up data.").waitFor();
    const names = async () =>
      ((await (await fetch(`${server.url}/models`)).json()) as { settings: { name: string } }[]).map(
        ({ settings }) => settings.name,
      );
    await page.getByRole("link", { name: "Models" }).click();
    for (const name of ["sample-disk", "sample-latency", "sample-orders"])
      await page.getByRole("link", { name, exact: true }).waitFor();
    await page.getByRole("link", { name: "Now", exact: true }).click();
    await page.getByRole("button", { name: "Remove the sample data" }).click();
    await page.getByRole("button", { name: "Try with sample data" }).waitFor();
    expect(await names()).toEqual([]);
    expect(problems).toEqual([]);
    await close();
  });
});
