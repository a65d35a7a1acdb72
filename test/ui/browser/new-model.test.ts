// A new model in a real browser: from a field to a live model, errors on the way, hooks, templates, phones.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { Browser } from "playwright-core";
import { browserMissing, launchBrowser } from "../../support/browser.ts";
import { JOURNEY_TIMEOUT_MS, makeWorld, openPage, type World } from "./world.ts";

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

const POLL_MS = 100;
/** A field with a long name. */
const LONG = "x".repeat(100);
const headers = { "content-type": "application/json" };

describe.skipIf(browserMissing !== undefined)("a new model", () => {
  let world: World;
  let browser: Browser;
  beforeAll(async () => {
    [world, browser] = await Promise.all([makeWorld(), launchBrowser()]);
    const now = Math.floor(Date.now() / 60_000) * 60;
    const lines = Array.from(
      { length: 600 },
      (_, i) => `disk,host=a used=${50 + (i % 9)},free=${40 - (i % 9)} ${now - i * 60}`,
    );
    const old = lines.map((_, i) => `trips passengers=${50 + (i % 9)} ${now - 40 * 86_400 - i * 300}`);
    const hosts = ["a", "b"].flatMap((host, k) =>
      Array.from({ length: 300 }, (_, i) => {
        const at = now - (300 - i) * 60 - 20 * k;
        return `,instance=${host} node_network_receive_bytes_total=${i * 100 + (i % 7)} ${at}`;
      }),
    );
    const metrics = [
      ...hosts.map((line) => `net${line}`),
      ...hosts.map((line) => line.replace(/^,instance=. \w+=/, `net ${LONG}=`)),
    ];
    for (const [name, points] of [
      ["hosts", metrics],
      ["two", lines],
      ["past", old],
      ["young", [`room value=20 ${now}`]],
    ] as const) {
      const bucket = { name, type: "local" };
      await fetch(`${world.url}/buckets`, { method: "POST", headers, body: JSON.stringify(bucket) });
      await fetch(`${world.url}/write?db=${name}&precision=s`, { method: "POST", body: points.join("\n") });
    }
  }, JOURNEY_TIMEOUT_MS);
  afterAll(async () => {
    await browser?.close();
    await world?.server.stop();
  });

  const ui = (hash: string) => `${world.url}/ui/${hash}`;
  const read = async (path: string) =>
    (await (await fetch(`${world.url}${path}`)).json()) as readonly Record<string, unknown>[];

  /** Waits until a model is trained. */
  const untilTrained = async (name: string) => {
    for (;;) {
      const [model] = await read(`/models/${name}`);
      if ((model!.state as { trained: boolean }).trained) return model!;
      await Bun.sleep(POLL_MS);
    }
  };

  test("from a field to a live model: the choices are in the address", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/models"));
    await page.getByRole("link", { name: "New model" }).click();
    await page.getByText("Choose a bucket and a field").waitFor();
    await page.getByRole("button", { name: "b local" }).click();
    // The only field of the bucket is chosen at once.
    await page.getByRole("img", { name: /load from/ }).waitFor();
    await page.getByText("The oddest stretches").waitFor();
    expect(await page.getByLabel("Every").textContent()).toContain("5 min (proposed)");
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("b-load");
    await page.getByLabel("Name", { exact: true }).fill("fresh");
    await page.goBack();
    await page.getByRole("heading", { name: "Models" }).waitFor();
    await page.goForward();
    await page.waitForURL(/name=fresh/);
    await page.reload();
    await page.getByRole("img", { name: /load from/ }).waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("fresh");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.waitForURL(/#\/models\/fresh$/);
    await page.getByRole("region", { name: "Training" }).getByRole("progressbar").waitFor();
    await page.getByRole("img", { name: /load of fresh/ }).waitFor();
    await page.getByText("This model is not trained").waitFor({ state: "hidden" });
    const [model] = await read("/models/fresh");
    expect(model).toMatchObject({
      settings: {
        bucket_interval: 300,
        offset: "auto",
        detector: "auto",
        features: [{ metric: "avg", field: "load" }],
      },
      state: { trained: true },
      live: { failures: 0 },
    });
    expect(problems).toEqual([]);
    await close();
  });

  test("a page that is closed once the model is started changes nothing", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=two&measurement=disk&field=used&name=left"));
    await page.getByRole("img", { name: /used from/ }).waitFor();
    const started = page.waitForRequest((request) => request.url().includes("/models/left/_start"));
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await started;
    await close();
    expect((await untilTrained("left")).live).toBeDefined();
  });

  test("points that end in the past are trained on by a job, while detection is live", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=past&name=past"));
    await page.getByRole("img", { name: /passengers from/ }).waitFor();
    expect(page.url()).toContain("field=passengers");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.waitForURL(/#\/models\/past$/);
    expect((await untilTrained("past")).live).toBeDefined();
    await close();
  });

  test("a bucket with a single point, or none of late: the model starts and waits for points", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=young"));
    await page.getByText("There are too few points for a first look").waitFor();
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.waitForURL(/#\/models\/room-value$/);
    await page.getByText(/points from which it judges|waits for points/).waitFor();
    expect((await read("/models/room-value"))[0]!.live).toBeDefined();
    await close();
  });

  test("a name that is taken and a hook that is wrong: said at the field, and gone on from there", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=b&field=load&name=cpu&live=0"));
    await page.getByRole("img", { name: /load from/ }).waitFor();
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByText("A model has this name already").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Name", { exact: true }).fill("hooked");
    await page.getByLabel(/call a hook/).check();
    await page.getByLabel("Kind").selectOption("webhook");
    const address = page.getByLabel(/^Address/);
    await address.fill("nowhere");
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByText(/must be http/).waitFor();
    await page.getByText("Created so far, and used by the next attempt:").waitFor();
    expect(await address.inputValue()).toBe("nowhere");
    await address.fill("http://localhost:9/hook");
    await page.getByRole("button", { name: "Train", exact: true }).click();
    // A test that does not arrive is shown where it is tried again.
    await page.waitForURL(/#\/models\/hooked\/hooks$/, { timeout: 25_000 });
    await page.getByText("not arrived yet").first().waitFor();
    expect(await read("/models/hooked/hooks?full=true")).toMatchObject([{ name: "alarm", type: "webhook" }]);
    expect((await read("/models/hooked"))[0]!.live).toBeUndefined();
    await close();
  });

  test("several fields, one model each; a training that fails is said on the chart", async () => {
    const { page, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=two"));
    await page.getByRole("option", { name: "disk used" }).click();
    await page.getByRole("option", { name: "disk free" }).click();
    await page.getByLabel("Several fields").selectOption("1");
    await page.getByLabel("Every").selectOption("1h");
    await page.getByLabel("watch live from now on").uncheck();
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.waitForURL(/#\/models$/);
    expect((await read("/models/disk-used;disk-free")).length).toBe(2);
    await page.goto(ui("#/models/disk-used"));
    await page.getByText(/too little data for feature used/).waitFor();
    await close();
  });

  test("a counter is watched as its rate, and hosts are series: found by keys, in one click", async () => {
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/new?bucket=hosts"));
    const search = page.getByRole("searchbox", { name: "Search fields" });
    await search.fill("bytes net");
    await page.getByRole("option", { name: /node_network_receive_bytes_total/ }).waitFor();
    expect(await page.getByRole("option").count()).toBe(1);
    await search.press("Enter");
    await page.getByText("watched as its rate").waitFor();
    await page.getByLabel("one series per instance (2 values)").and(page.locator(":checked")).waitFor();
    await page.getByRole("img", { name: /node_network_receive_bytes_total instance=a from/ }).waitFor();
    expect(await page.getByLabel("Every").textContent()).toContain("1 min (proposed)");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.waitForURL(/#\/models\/net-node_network_receive_bytes_total$/);
    expect((await read("/models/net-node_network_receive_bytes_total"))[0]).toMatchObject({
      settings: { group_by: ["instance"], bucket_interval: 60, features: [{ metric: "rate" }] },
      live: {},
    });
    expect(problems).toEqual([]);
    await close();
  });

  test("names of a hundred characters stay in their list, on a phone and on a wide screen", async () => {
    for (const width of [320, 1400]) {
      const { page, close } = await openPage(browser, { viewport: { width, height: 740 } });
      await page.goto(ui("#/new?bucket=hosts"));
      await page.getByRole("option", { name: LONG }).click();
      await page.getByRole("img", { name: new RegExp(`${LONG} from`) }).waitFor();
      const wide = "document.documentElement.scrollWidth - innerWidth";
      expect(await page.evaluate(wide)).toBe(0);
      const inner =
        "[...document.querySelectorAll('.steps *')].filter((e) => !e.matches('input, select, .hidden, svg *, option') && e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline').length";
      expect(await page.evaluate(inner)).toBe(0);
      await close();
    }
  });

  test("a template instead: its parameters", async () => {
    const settings = {
      name: "{{host}}-disk",
      type: "donut",
      default_bucket: "two",
      bucket_interval: "1m",
      max_evals: 1,
      span: 24,
      features: [
        {
          name: "used",
          metric: "avg",
          measurement: "disk",
          field: "used",
          match_all: [{ tag: "host", value: "{{host}}" }],
        },
      ],
    };
    await fetch(`${world.url}/templates?name=disk`, {
      method: "POST",
      headers,
      body: JSON.stringify(settings),
    });
    const { page, problems, close } = await openPage(browser);
    await page.goto(ui("#/new"));
    await page.getByLabel("Or from a template").selectOption("disk");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.getByText("A value is missing: host.").waitFor();
    await page.getByLabel("host", { exact: true }).fill("a");
    await page.getByRole("button", { name: "Watch", exact: true }).click();
    await page.waitForURL(/#\/models\/a-disk$/, { timeout: 25_000 });
    expect((await read("/models/a-disk"))[0]).toMatchObject({ settings: { detector: "auto" }, live: {} });
    expect(problems).toEqual([]);
    await close();
  });

  test("a bucket that does not answer has a sentence and a way on; a phone has room", async () => {
    const away = { name: "away", type: "influxdb", addr: "localhost:9", database: "d", measurement: "m" };
    await fetch(`${world.url}/buckets`, { method: "POST", headers, body: JSON.stringify(away) });
    const { page, close } = await openPage(browser, { viewport: { width: 360, height: 740 } });
    await page.goto(ui("#/new?bucket=away"));
    await page.getByText(/refused the connection/).waitFor();
    await page.getByRole("link", { name: "Test the bucket" }).waitFor();
    await page.goto(ui("#/new?bucket=b&field=load"));
    await page.getByRole("img", { name: /load from/ }).waitFor();
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBe(0);
    await close();
  });
});
