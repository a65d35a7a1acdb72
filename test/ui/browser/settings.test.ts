// Settings in a real browser: tokens shown once and revoked, backup, finder and keys.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser, Page, Route } from "playwright-core";
import { startNode } from "../../cluster/nodes.ts";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { postgresMissing, startPostgres } from "../../support/postgres.ts";
import { type ServerProcess, startServer } from "../../support/server-process.ts";
import { JOURNEY_TIMEOUT_MS, openPage } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);
if (postgresMissing) console.warn(postgresMissing);

/** Holds the first request back. @returns a function that sends it, and returns the status of its answer */
async function holdFirst(page: Page, url: string): Promise<() => Promise<number>> {
  const { promise, resolve } = Promise.withResolvers<Route>();
  await page.route(url, (route) => resolve(route), { times: 1 });
  return async () => {
    const route = await promise;
    const answer = page.waitForResponse((response) => response.request() === route.request());
    await route.continue();
    return (await answer).status();
  };
}

describe.skipIf(browserMissing !== undefined)("settings", () => {
  let server: ServerProcess;
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  }, JOURNEY_TIMEOUT_MS);
  afterEach(() => server?.stop());
  afterAll(() => browser?.close());

  test("the first token closes the server, and this window stays in; another is made and revoked", async () => {
    server = await startServer({ dataDir: temporaryFolder() });
    const { page, problems, close } = await openPage(browser);
    const release = await holdFirst(page, "**/templates");
    const { promise: isOpen, resolve: letThrough } = Promise.withResolvers<void>();
    // A read that another has replaced cannot be continued.
    await page.route("**/tokens", (route) => isOpen.then(() => route.continue()).catch(() => {}));
    await page.goto(`${server.url}/ui/#/settings`);
    const dialog = page.getByRole("dialog");
    const add = page.getByRole("button", { name: "New token" });
    // Whether it is the first token is not known yet.
    expect(await add.isDisabled()).toBe(true);
    letThrough();
    await add.click();
    await dialog.getByLabel("Name").fill("me");
    await dialog.getByRole("button", { name: "Make the token" }).click();
    const secret = await dialog.getByLabel("Secret").inputValue();
    expect(secret.length).toBeGreaterThan(20);
    // Sent without a token and refused now: the page has one meanwhile.
    expect(await release()).toBe(401);
    expect(await dialog.getByLabel("Secret").inputValue()).toBe(secret);
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /me this session admin/ }).waitFor();
    expect((await fetch(`${server.url}/models`)).status).toBe(401);
    expect(await page.content()).not.toContain(secret);
    await page.getByRole("button", { name: "New token" }).click();
    await dialog.getByLabel("Name").fill("reader");
    await dialog.getByLabel("Valid").selectOption("90d");
    await dialog.getByRole("button", { name: "Make the token" }).click();
    await dialog.getByLabel("Secret").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("row", { name: /reader read/ }).waitFor();
    await page.getByRole("button", { name: "Revoke reader" }).click();
    await dialog.getByLabel("Type reader to delete it").fill("reader");
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("row", { name: /reader read/ }).waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("row", { name: /me this session/ }).waitFor();
    expect(problems).toEqual([expect.stringContaining("401")]);
    await close();
  });

  test("a backup is saved; templates are shown and deleted", async () => {
    server = await startServer({ dataDir: temporaryFolder() });
    const headers = { "content-type": "application/json" };
    const features = [{ name: "v", metric: "avg", field: "v" }];
    const settings = {
      name: "{{host}}",
      type: "donut",
      default_bucket: "b",
      bucket_interval: "5m",
      features,
    };
    const path = `${server.url}/templates?name=host`;
    const bucket = JSON.stringify({ name: "b", type: "local" });
    await fetch(`${server.url}/buckets`, { method: "POST", headers, body: bucket });
    const model = JSON.stringify({ ...settings, name: "cpu" });
    await fetch(`${server.url}/models`, { method: "POST", headers, body: model });
    const made = await fetch(path, { method: "POST", headers, body: JSON.stringify(settings) });
    expect(made.status).toBe(201);
    const { page, problems, close } = await openPage(browser);
    await page.goto(`${server.url}/ui/#/settings`);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save a backup" }).click(),
    ]);
    expect(file.suggestedFilename()).toMatch(/^torus-.*\.tar$/);
    await page.getByText("asks for host").click();
    await page.getByText(/bucket_interval/).waitFor();
    await page.getByRole("button", { name: "Delete template host" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("No templates.").waitFor();
    const bin = page.getByRole("region", { name: "Deleted" });
    await bin.getByRole("button", { name: "Restore host" }).click();
    await bin.getByText("Nothing was deleted lately.").waitFor();
    await fetch(path.replace("?name=", "/"), { method: "DELETE" });
    await fetch(path, { method: "POST", headers, body: JSON.stringify(settings) });
    await page.reload();
    await bin.getByRole("button", { name: "Restore host" }).click();
    await bin.getByText(/template host exists/).waitFor();
    await bin.getByLabel("New name of host").fill("host2");
    await bin.getByRole("button", { name: "Restore host" }).click();
    await bin.getByText("Nothing was deleted lately.").waitFor();
    await fetch(`${path.replace("?name=", "/")};host2`, { method: "DELETE" });
    await page.reload();
    await bin.getByRole("button", { name: "Delete host2 for good" }).click();
    await page.getByLabel("Type host2 to delete it").fill("host2");
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await bin.getByRole("button", { name: "Delete host2 for good" }).waitFor({ state: "detached" });
    await page.getByText("No templates.").waitFor();
    await page.getByRole("button", { name: "New template" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name of the template").fill("disk");
    await dialog.getByLabel("Begin with the settings of").selectOption("cpu");
    const text = dialog.getByLabel("Settings", { exact: true });
    expect(await text.inputValue()).toStartWith('name: "{{name}}"\ntype: donut\n');
    const whole = await text.inputValue();
    await text.fill(`${whole}\nodd`);
    await dialog.getByRole("button", { name: "New template" }).click();
    await dialog.getByText(`is not valid YAML: line ${whole.split("\n").length + 1}, column 1`).waitFor();
    await text.fill(whole);
    await dialog.getByRole("button", { name: "New template" }).click();
    await page.getByText("asks for name").waitFor();
    const [template] = (await (await fetch(`${server.url}/templates/disk`)).json()) as [{ settings: object }];
    expect(template.settings).toMatchObject({ name: "{{name}}", default_bucket: "b", features });
    // Of the name that was taken, and of the line that is no YAML.
    expect(problems.filter((line) => !/40[09] \((Bad Request|Conflict)\)/.test(line))).toEqual([]);
    await close();
  });

  test.skipIf(postgresMissing !== undefined)("nodes that share the state are listed", async () => {
    const postgres = await startPostgres();
    try {
      ({ server } = await startNode({ name: "node-a", addr: postgres.addr }));
      const { page, problems, close } = await openPage(browser);
      await page.goto(`${server.url}/ui/#/settings`);
      const row = page.getByRole("table").getByRole("row", { name: /^node-a answers this page/ });
      await row.getByRole("cell", { name: "1024" }).waitFor();
      await row.getByRole("cell", { name: "live detection, jobs" }).waitFor();
      await page.getByText("Commits wait for no standby").waitFor();
      await page.getByText("● cluster").waitFor();
      expect(problems).toEqual([]);
      await close();
    } finally {
      await server?.stop();
      await postgres.stop();
    }
  });

  test("Ctrl-K finds a model and a page, ? lists the keys, and letters are switched off", async () => {
    server = await startServer({ dataDir: temporaryFolder() });
    const headers = { "content-type": "application/json" };
    const bucket = JSON.stringify({ name: "b", type: "local" });
    await fetch(`${server.url}/buckets`, { method: "POST", headers, body: bucket });
    const features = [{ name: "v", metric: "avg", field: "v" }];
    const model = { name: "web-cpu", type: "donut", default_bucket: "b", bucket_interval: "5m", features };
    await fetch(`${server.url}/models`, { method: "POST", headers, body: JSON.stringify(model) });
    const { page, problems, close } = await openPage(browser);
    await page.goto(`${server.url}/ui/#/jobs`);
    await page.getByRole("heading", { name: "Jobs" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "web-cpu model" }).waitFor();
    await page.keyboard.type("sched");
    await page.getByRole("option", { name: "web-cpu model" }).waitFor({ state: "detached" });
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Schedules" }).waitFor();
    await page.keyboard.press("/");
    await page.getByRole("combobox", { name: /^Find/ }).waitFor();
    await page.keyboard.type("cpu");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "web-cpu" }).waitFor();
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("judge the chosen anomaly").waitFor();
    await page.keyboard.press("Escape");
    await page.goto(`${server.url}/ui/#/settings`);
    await page.getByLabel("Keys of one letter").selectOption("off");
    await page.getByRole("heading", { name: "Settings" }).click();
    await page.keyboard.press("g");
    await page.keyboard.press("j");
    await page.keyboard.press("?");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(page.url()).toContain("#/settings");
    // The state is a file.
    expect(await page.getByRole("heading", { name: "Nodes" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });
});
