// Buckets in a real browser: list, first look, form by kind, conflict, deletion, points from a file.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Locator } from "playwright-core";
import { browserMissing } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { startServer } from "../../support/server-process.ts";
import { JOURNEY_TIMEOUT_MS, openPage, tokens, useBrowserWorld } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const headers = { "content-type": "application/json" };

describe.skipIf(browserMissing !== undefined)("buckets", () => {
  const made = useBrowserWorld();

  const ui = (hash = "") => `${made.world.url}/ui/${hash}`;
  const put = (bucket: object) =>
    fetch(`${made.world.url}/buckets`, { method: "POST", headers, body: JSON.stringify(bucket) });
  const stored = async (name: string) => {
    const response = await fetch(`${made.world.url}/buckets/${name}`);
    return response.ok ? ((await response.json()) as [Record<string, unknown>])[0] : response.status;
  };

  test("from the list to the values of a field, and on to a model of them", async () => {
    await put({ name: "away", type: "influxdb", addr: "localhost:9", database: "d", measurement: "m" });
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/buckets"));
    await page.getByRole("row", { name: /away influxdb localhost:9 .*refused the connection/ }).waitFor();
    await page.getByRole("row", { name: /b local this server .* ago cpu, idle/ }).waitFor();
    await page.getByRole("link", { name: "b", exact: true }).click();
    await page.getByRole("button", { name: "Test the connection" }).click();
    await page.getByText(/Answers after \d+ ms .*newest point/).waitFor();
    const fields = page.getByRole("listbox", { name: "Content" });
    expect(await fields.getAttribute("aria-multiselectable")).toBe("false");
    await fields.focus();
    await page.keyboard.press("Enter");
    expect(await fields.getByRole("option", { name: /load/ }).getAttribute("aria-selected")).toBe("true");
    await page.getByRole("img", { name: /load from .* odd stretch(es)? marked/ }).waitFor();
    await page.getByText("The oddest stretches").waitFor();
    await page.getByText("As a table").click();
    const table = page.getByRole("region", { name: "As a table" });
    await table.waitFor();
    expect(await table.getByRole("row").count()).toBeGreaterThan(100);
    expect(page.url()).toContain("field=load");
    await page.reload();
    const watch = page.getByRole("link", { name: "Watch this" });
    expect(await watch.getAttribute("href")).toBe("#/new?bucket=b&field=load");
    expect(problems).toEqual([]);
    await close();
  });

  test("a new bucket: errors stand at their fields, nothing typed is lost, points come from a file", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/buckets"));
    await page.getByRole("link", { name: "New bucket" }).click();
    await page.getByLabel("Retention").fill("soon");
    await page.getByLabel("Name").fill("b");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText("A bucket has this name already").waitFor();
    await page.getByLabel("Name").fill("files");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText(/must be a duration/).waitFor();
    const retention = page.getByLabel("Retention");
    expect(await retention.getAttribute("aria-invalid")).toBe("true");
    expect(await retention.inputValue()).toBe("soon");
    await retention.fill("365000d");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByRole("heading", { name: "files", exact: true }).waitFor();
    expect(await stored("files")).toEqual({ name: "files", type: "local", retention: "365000d" });
    await page.getByText('bucket = "files"').waitFor();
    const rows = Array.from(
      { length: 40 },
      (_, i) => `2026-01-01T${String(i % 24).padStart(2, "0")}:0${Math.floor(i / 24)}:00Z;${i};x`,
    );
    const file = (text: string) => ({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await page.getByLabel(/Drop a file here/).setInputFiles(file("time;load\nyesterday;1"));
    await page.getByText(/line 2: column time holds "yesterday", no time/).waitFor();
    await page.getByLabel(/Drop a file here/).setInputFiles(file("day;load\n01/02/2026;1,5\n02/02/2026;2,5"));
    await page.getByText(/day and month cannot be told apart: "Format of the time"/).waitFor();
    await page.getByLabel("Format of the time").fill("%d/%m/%Y");
    await page.getByLabel("Time zone of times without an offset").fill("Europe/Berlin");
    await page.getByText(/2 points .* Time: day. Fields: load./).waitFor();
    await page.getByText("numbers have a decimal comma").waitFor();
    await page.getByText(/load = 1.5$/).waitFor();
    const odd =
      "a report\nof today\nday;load\n2026-01-01;1.234\n2026-01-02;broken\n2026-01-02;2.345\n2026-01-02;3.456";
    await page.getByLabel(/Drop a file here/).setInputFiles(file(odd));
    const skip = page.getByLabel("Lines before the header");
    await skip.fill("2.5");
    await skip.blur();
    await page.getByText('"Lines before the header": must be a whole number, at least 0').waitFor();
    await skip.fill("2");
    const missing = page.getByLabel("Words for a missing value, separated by commas");
    await missing.fill("n/m, broken");
    await missing.blur();
    await page.getByLabel("Thousands separator").selectOption({ label: "1.234" });
    await page.getByText(/"Two rows of a series at one time" last or first keeps one/).waitFor();
    await page.getByLabel("Two rows of a series at one time").selectOption("keep the last");
    await page.getByText(/load = 3456$/).waitFor();
    await page.getByLabel("Two rows of a series at one time").selectOption("keep the first");
    await page.getByText(/2 points .* Time: day. Fields: load./).waitFor();
    await page.getByText(/load = 2345$/).waitFor();
    await page.getByLabel(/Drop a file here/).setInputFiles(file(["time;load;host", ...rows].join("\n")));
    await page.getByText(/40 points .* Time: time. Fields: load./).waitFor();
    // What is found and the button stand above what may be set.
    const heightOf = async (part: Locator) => (await part.boundingBox())!.y;
    const write = page.getByRole("button", { name: "Write the points" });
    expect(await heightOf(write)).toBeLessThan(await heightOf(page.getByLabel("Column of the time")));
    await page.getByText("skipped columns of text: host").waitFor();
    await page.getByRole("button", { name: "Write the points" }).click();
    await page.getByText("40 points were written.").waitFor();
    await page.getByRole("option", { name: /load/ }).click();
    await page.getByRole("img", { name: /load from/ }).waitFor();
    // The browser itself reports every refused request.
    expect(problems.filter((line) => !line.includes("400 (Bad Request)"))).toEqual([]);
    await close();
  });

  test("a file of local times is read in the zone of the page, and told in its language", async () => {
    const options = { locale: "de-DE", timezoneId: "Europe/Berlin" };
    const { page, problems, close } = await openPage(made.browser, options);
    await page.goto(ui("#/buckets/b"));
    const drop = page.getByLabel(/Eine Datei hierher/);
    const file = (text: string) => ({ name: "a.csv", mimeType: "text/csv", buffer: Buffer.from(text) });
    await drop.setInputFiles(file("Datum;Wert\n24.12.2025 08.15;1,5\n24.12.2025 08.30;x\n"));
    await page
      .getByText(/Zeile 3 ist so nicht lesbar: Spalte Wert enthält "x", keine Zahl: „Wörter für/)
      .waitFor();
    await drop.setInputFiles(file("Datum;Wert\n24.12.2025 08.15;1,5\n24.12.2025 08.30;2,5\nSumme;4\n"));
    await page.getByText(/24. Dez. 2025, 08:15: Wert = 1,5$/).waitFor();
    await page.getByText("Zahlen haben ein Dezimalkomma.").waitFor();
    await page.getByText("1 Zeile mit Summen oder Mittelwerten ausgelassen").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a store that does not answer is saved on purpose; its secret stays, a conflict keeps both changes", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/buckets?new=local"));
    await page.getByLabel("Name").fill("remote");
    await page.getByLabel("Kind").selectOption("influxdb");
    expect(await page.getByLabel("Name").inputValue()).toBe("remote");
    await page.getByLabel("Address").fill("localhost:9");
    await page.getByLabel(/^Database/).fill("d");
    await page.getByLabel(/^Measurement/).fill("m");
    await page.getByText(/More settings/).click();
    await page.getByLabel(/^Password/).fill("very-secret");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText(/refused the connection/).waitFor();
    await page.getByRole("button", { name: "Save anyway" }).click();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByText(/More settings/).click();
    await page.getByRole("button", { name: "Replace: Password" }).waitFor();
    expect(await page.content()).not.toContain("very-secret");
    await page.getByLabel(/^Database/).fill("e");
    await fetch(`${made.world.url}/buckets/remote`, {
      method: "PATCH",
      headers,
      body: JSON.stringify({ measurement: "other" }),
    });
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByRole("button", { name: "Save anyway" }).click();
    await page.getByText("Another client has changed it meanwhile.").waitFor();
    expect(await page.getByLabel(/^Database/).inputValue()).toBe("e");
    expect(await page.getByLabel(/^Measurement/).inputValue()).toBe("other");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByRole("button", { name: "Save anyway" }).click();
    await page.getByRole("button", { name: "Change" }).waitFor();
    expect(await stored("remote")).toMatchObject({ database: "e", measurement: "other" });
    expect(problems.filter((line) => !/40[0-9]|412|50[0-9]/.test(line))).toEqual([]);
    await close();
  });

  test("deletion asks, and says who still reads; the focus returns", async () => {
    await put({ name: "old", type: "local" });
    await fetch(`${made.world.url}/models/cpu/_start?detect_anomalies=true`, { method: "POST" });
    const { page, close } = await openPage(made.browser);
    await page.goto(ui("#/buckets/old"));
    const open = page.getByRole("button", { name: "Delete old" });
    await open.click();
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Delete old");
    await open.click();
    const confirm = page.getByRole("button", { name: "Delete", exact: true });
    await page.getByText("It can be restored for 7 d.").waitFor();
    await confirm.click();
    await page.getByRole("link", { name: "b", exact: true }).waitFor();
    expect(await stored("old")).toBe(404);
    await page.getByText("old is deleted.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("old is restored.").waitFor();
    await page.getByRole("link", { name: "old", exact: true }).click();
    await open.click();
    await confirm.click();
    await page.getByRole("link", { name: "b", exact: true }).waitFor();
    await page.goto(ui("#/buckets/old"));
    await page.getByText("There is no bucket old.").waitFor();
    await page.goto(ui("#/buckets/b"));
    await page.getByRole("button", { name: "Delete b" }).click();
    await confirm.click();
    await page.getByText(/bucket b is used by live model cpu/).waitFor();
    await page.getByRole("button", { name: "Delete anyway" }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    expect(await stored("b")).toMatchObject({ name: "b" });
    await close();
  });

  test("without buckets the kinds are named; a reader may look, not change", async () => {
    const dataDir = temporaryFolder();
    const list = `[{name: a, scope: admin, token: ${tokens.admin}}, {name: r, scope: read, token: ${tokens.read}}]`;
    await Bun.write(`${dataDir}.yml`, `server: {auth: {tokens: ${list}}}\n`);
    const server = await startServer({ dataDir, args: ["--config", `${dataDir}.yml`] });
    const { page, close } = await openPage(made.browser);
    await page.goto(`${server.url}/ui/#/buckets`);
    await page.getByLabel("Token").fill(tokens.read);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("No buckets yet").waitFor();
    await page.getByText(/^Prometheus, and servers compatible/).waitFor();
    expect(await page.getByRole("link", { name: "New bucket" }).count()).toBe(0);
    const admin = { ...headers, authorization: `Bearer ${tokens.admin}` };
    const body = JSON.stringify({ name: "m", type: "local" });
    await fetch(`${server.url}/buckets`, { method: "POST", headers: admin, body });
    await page.goto(`${server.url}/ui/#/buckets/m`);
    await page.getByRole("heading", { name: "m", exact: true }).waitFor();
    await page.getByText("no points yet").waitFor();
    expect(await page.getByRole("button", { name: /Change|Delete|Test|Write/ }).count()).toBe(0);
    await close();
    await server.stop();
  });

  test("a token that is revoked meanwhile: the login lies over the form, which keeps what was typed", async () => {
    const dataDir = temporaryFolder();
    const list = `[{name: a, scope: admin, token: ${tokens.admin}}]`;
    await Bun.write(`${dataDir}.yml`, `server: {auth: {tokens: ${list}}}\n`);
    const server = await startServer({ dataDir, args: ["--config", `${dataDir}.yml`] });
    const admin = { ...headers, authorization: `Bearer ${tokens.admin}` };
    const body = JSON.stringify({ name: "short", scope: "admin" });
    const answer = await fetch(`${server.url}/tokens`, { method: "POST", headers: admin, body });
    const { token } = (await answer.json()) as { token: string };
    const { page, close } = await openPage(made.browser);
    await page.goto(`${server.url}/ui/#/buckets?new=local`);
    await page.getByLabel("Token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Name").fill("typed");
    await fetch(`${server.url}/tokens/short`, { method: "DELETE", headers: admin });
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByText("The token is no longer accepted.").waitFor();
    await page.getByLabel("Token").fill(tokens.admin);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Token").waitFor({ state: "detached" });
    expect(await page.getByLabel("Name").inputValue()).toBe("typed");
    await page.getByRole("button", { name: "Test and save" }).click();
    await page.getByRole("heading", { name: "typed", exact: true }).waitFor();
    await close();
    await server.stop();
  });

  test("a bucket that never answers: said, and given up on demand", async () => {
    const silent = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data: () => {} } });
    const addr = `127.0.0.1:${silent.port}`;
    await put({ name: "silent", type: "influxdb", addr, database: "d", measurement: "m" });
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/buckets/silent"));
    await page.getByRole("button", { name: "Test the connection" }).click();
    await page.getByText("asking …").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("asking …").waitFor({ state: "detached" });
    await page.getByText("The bucket has not answered yet").waitFor();
    expect(problems).toEqual([]);
    await close();
    silent.stop(true);
  });

  test("on a phone nothing is wider than the screen", async () => {
    const { page, close } = await openPage(made.browser, { viewport: { width: 360, height: 740 } });
    for (const hash of ["#/buckets", "#/buckets/b?field=load", "#/buckets?new=postgres"]) {
      await page.goto(ui(hash));
      await page.getByRole("heading", { level: 1 }).waitFor();
      if (hash.includes("field")) await page.getByRole("img").waitFor();
      const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect([hash, overflow]).toEqual([hash, 0]);
    }
    await close();
  });
});
