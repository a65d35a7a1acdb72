// Fleets in a real browser: the list of series, the page of one, their anomalies.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { browserMissing } from "../../support/browser.ts";
import { addFleets } from "./fleet-world.ts";
import { JOURNEY_TIMEOUT_MS, openPage, untilTrue, useBrowserWorld } from "./world.ts";

const FLEETS_MS = 180_000;
const TRAINING_MS = 90_000;

setDefaultTimeout(JOURNEY_TIMEOUT_MS);
if (browserMissing) console.warn(browserMissing);

describe.skipIf(browserMissing !== undefined)("fleets", () => {
  const made = useBrowserWorld([{ model: "load", hoursAgo: 30, share: 0.75 }]);
  beforeAll(() => addFleets(made.world.url), FLEETS_MS);

  const ui = (hash: string) => `${made.world.url}/ui/${hash}`;
  const get = async (path: string) => (await fetch(`${made.world.url}${path}`)).json();

  test("the page of a fleet counts, finds and sorts its series", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/load"));
    await page.getByRole("button", { name: "All 12" }).waitFor();
    await page.getByRole("button", { name: "watched 12" }).click();
    await page.waitForURL(/state=watched/);
    await page.getByLabel("Sort by").selectOption("name");
    await page.waitForURL(/sort=name/);
    await page.locator("tbody tr").first().getByRole("link", { name: "host=db-10" }).waitFor();
    await page.getByRole("searchbox", { name: "Search series" }).fill("web-3");
    await page.getByRole("button", { name: "All 1", exact: true }).waitFor();
    await untilTrue(page, "document.querySelectorAll('tbody tr').length === 1");
    await page.getByRole("searchbox", { name: "Search series" }).fill("none");
    await page.getByText("No series fits.").waitFor();
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await page.getByRole("button", { name: "All 12" }).waitFor();
    expect(await page.getByRole("link", { name: "Thresholds" }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  test("the list of models, opened first, tells that series of a fleet have no data", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.route(/\/models\?/, async (route) => {
      const response = await route.fetch();
      const models = (await response.json()) as { state: { series?: { silent: number } } }[];
      for (const { state } of models) if (state.series) state.series.silent = 2;
      await route.fulfill({ response, json: models });
    });
    await page.goto(ui("#/models"));
    await page.getByText("2 series without data").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("a series has the chart, the anomalies, the labels and the forecast of a model", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/load"));
    await page.getByRole("link", { name: "host=web-3" }).click();
    await page.getByRole("heading", { level: 1, name: "host=web-3" }).waitFor();
    await page.getByRole("img", { name: /^load of load, host=web-3\. 1 anomaly from/ }).waitFor();
    await page.getByRole("img", { name: "score" }).waitFor();
    await page
      .getByRole("region", { name: "Anomalies" })
      .getByRole("button", { name: "False alarm" })
      .click();
    await page.getByText("false alarm", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Label" }).click();
    await page.getByRole("button", { name: "enter the times" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Normal" }).click();
    await page.getByRole("region", { name: "Labels" }).waitFor();
    expect(await get("/models/load/labels?from=now-1d&series=host:web-3")).toMatchObject([
      { anomaly: false, series: { host: "web-3" } },
    ]);
    await page.getByRole("link", { name: "Forecast" }).click();
    await page.getByRole("img", { name: /Forecast of load of load, host=web-3/ }).waitFor();
    await page.getByRole("link", { name: "Series of load" }).click();
    await page.getByRole("button", { name: "All 12" }).waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an address of an anomaly leads to its series, one of no series says so", async () => {
    const { page, close } = await openPage(made.browser);
    const [{ id }] = (await get("/models/load/anomalies?series=host:web-3")) as [{ id: string }];
    await page.goto(ui(`#/models/load?at=${id}`));
    await page.waitForURL(/series\/host%3Aweb-3\?at=/);
    await page.locator("canvas").first().waitFor();
    await page.goto(ui("#/models/load/series/host%3Agone"));
    await page.getByText(/^The model has no such series/).waitFor();
    await page.getByRole("link", { name: "Series of load" }).waitFor();
    await close();
  });

  test("anomalies of one host in two models are one incident, judged as one", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/anomalies"));
    const incident = page.getByRole("button", { name: "host=web-3: 2 models" });
    await incident.click();
    const members = page.locator("li.member");
    await members.getByRole("link", { name: "disk" }).waitFor();
    await members.getByText("host=web-3").first().waitFor();
    await page.locator("li").filter({ has: incident }).getByRole("button", { name: "Yes" }).click();
    await page.getByText("2 anomalies were judged.").waitFor();
    const [of, [{ feedback }]] = (await Promise.all(
      ["load", "disk"].map((name) => get(`/models/${name}/anomalies`)),
    )) as [[{ feedback: object }], [{ feedback: object }]];
    expect([of[0].feedback, feedback]).toMatchObject([{ anomaly: true }, { anomaly: true }]);
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByText("2 anomalies were judged.").waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Model or series" }).fill("cpu");
    await incident.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await close();
  });

  test("anomalies of one fleet have lanes by series, whose cells filter", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/load"));
    await page.getByRole("link", { name: "Anomalies of the series" }).click();
    await page.getByRole("heading", { name: "By series" }).waitFor();
    await page
      .getByRole("link", { name: /^host=web-3, .*: peak 100/ })
      .first()
      .click();
    await page.getByText(/^Only host=web-3 from/).waitFor();
    await page.getByRole("region", { name: "1 anomaly" }).getByRole("link", { name: "load" }).click();
    await page.waitForURL(/#\/models\/load\/series\/host%3Aweb-3\?at=/);
    await page.locator("canvas").first().waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("an anomaly of the whole fleet has its share on the page of the fleet, and is judged by keys", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/load"));
    const list = page.getByRole("region", { name: "Anomalies of many series at once" });
    await list.getByText("75 % of all series").waitFor();
    await list.getByRole("listitem").getByRole("button").first().click();
    // The address changes before the list shows which anomaly the keys judge.
    await list.locator("[aria-current=true]").waitFor();
    await page.keyboard.press("n");
    await list.getByText("false alarm", { exact: true }).waitFor();
    await page.keyboard.press("y");
    await list.getByText("confirmed", { exact: true }).waitFor();
    expect(await get("/models/load/anomalies?scope=fleet")).toMatchObject([{ feedback: { anomaly: true } }]);
    await page.goto(ui("#/anomalies?fleet=load"));
    await page.getByText("75 % of all series").waitFor();
    expect(problems).toEqual([]);
    await close();
  });

  test("the bounds that a fleet watches are on the forecast of each series, with what was found of it", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/load/series/host%3Aweb-3/forecast?constraint=load%3Ahigh%3A5000"));
    const watched = page.getByRole("region", { name: "Watched bounds" });
    await watched.getByRole("button", { name: /^Watch this: load above 5/ }).click();
    await watched.getByText(/^load above 5.* within/).waitFor();
    await watched.getByText("They are watched for every series of the model.").waitFor();
    await page.goto(ui("#/models/load/series/host%3Adb-9/forecast"));
    await watched.getByRole("button", { name: /^Stop watching load above 5/ }).click();
    await watched.waitFor({ state: "detached" });
    expect(problems).toEqual([]);
    await close();
  });

  test("a series is muted and unmuted, and the hours of the model keep its window", async () => {
    const { page, problems, close } = await openPage(made.browser);
    const mute = async () => {
      const [{ settings }] = (await get("/models/disk")) as [{ settings: { mute?: unknown } }];
      return settings.mute;
    };
    await page.goto(ui("#/models/disk/series/host%3Adb-9"));
    await page.getByRole("button", { name: "Mute" }).click();
    await page.getByRole("dialog").getByLabel("From").fill("02:00");
    await page.getByRole("dialog").getByLabel("To").fill("04:00");
    await page.getByRole("dialog").getByRole("button", { name: "Mute" }).click();
    await page.getByText("muted 02:00 – 04:00").waitFor();
    const window = { from: "02:00", to: "04:00", series: { host: "db-9" } };
    expect(await mute()).toEqual([window]);
    await page.goto(ui("#/models/disk/hooks"));
    await page.getByText("02:00 – 04:00, host=db-9").waitFor();
    await page.getByRole("button", { name: "Mute Monday 00:00" }).click();
    await page.getByRole("button", { name: "Save the hours" }).click();
    await page.locator("button:disabled", { hasText: "Save the hours" }).waitFor();
    expect(await mute()).toEqual([{ weekdays: ["monday"], from: "00:00", to: "01:00" }, window]);
    await page.goto(ui("#/models/disk/series/host%3Adb-9"));
    await page.getByRole("button", { name: "Unmute" }).click();
    await page.getByRole("button", { name: "Unmute" }).waitFor({ state: "detached" });
    expect(await mute()).toEqual([{ weekdays: ["monday"], from: "00:00", to: "01:00" }]);
    expect(problems).toEqual([]);
    await close();
  });

  test("a new fleet is made of a tag, trained, and shows its series", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/new?bucket=hosts&field=load&name=made"));
    // Proposed, as hosts are series.
    const perHost = page.getByRole("checkbox", { name: /^one series per host/ });
    await perHost.waitFor();
    expect(await perHost.isChecked()).toBe(true);
    await page.getByLabel("At most").fill("many");
    await page.getByRole("checkbox", { name: "compare the series" }).check();
    await page.getByRole("checkbox", { name: "watch live" }).uncheck();
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page
      .getByRole("alert")
      .getByText(/max_series/)
      .waitFor();
    await page.getByLabel("At most").fill("50");
    await page.getByRole("button", { name: "Train", exact: true }).click();
    await page.getByRole("button", { name: "stopped 12" }).waitFor({ timeout: TRAINING_MS });
    const [{ settings }] = (await get("/models/made")) as [{ settings: object }];
    expect(settings).toMatchObject({ group_by: ["host"], max_series: 50, peers: true });
    expect(problems.filter((text) => !text.includes("400"))).toEqual([]);
    await close();
  });

  test("an untrained fleet leads to its training, where versions are not compared", async () => {
    const { page, problems, close } = await openPage(made.browser);
    await page.goto(ui("#/models/bare"));
    await page.getByText("A model that is not trained has no series yet.").waitFor();
    await page.getByRole("link", { name: "Train it" }).click();
    await page.waitForURL(/#\/models\/bare\/versions/);
    await page.goto(ui("#/models/load/versions"));
    await page.getByRole("row", { name: /active/ }).waitFor();
    expect(await page.getByRole("checkbox", { name: /^Compare version/ }).count()).toBe(0);
    // The browser itself reports that the untrained one has no training.
    expect(problems.filter((text) => !text.includes("404 (Not Found)"))).toEqual([]);
    await close();
  });

  test("on a phone nothing scrolls sideways", async () => {
    const { page, close } = await openPage(made.browser, { viewport: { width: 360, height: 740 } });
    for (const hash of ["#/models/load", "#/models/load/series/host%3Aweb-3", "#/anomalies?fleet=load"]) {
      await page.goto(ui(hash));
      await page
        .locator(hash.includes("series") ? "canvas" : hash.includes("fleet") ? ".lanes a" : "tbody tr")
        .first()
        .waitFor();
      expect([hash, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([hash, 360]);
    }
    await close();
  });
});
