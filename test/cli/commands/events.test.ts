// Commands of labels, events, deliveries, and of a first look at a bucket.
import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { at, POINTS, SPIKE, START, trainWeb } from "../load-series.ts";
import { useSession } from "../session.ts";

const TEST_MS = 180_000;
setDefaultTimeout(TEST_MS);
const session = useSession();
const { torus, ok, json } = session;
beforeAll(() => trainWeb(session), TEST_MS);

test("add-label, list-labels, delete-label", async () => {
  const range = "--from now-2h --to now-1h";
  expect((await torus(`add-label web ${range}`)).err).toContain("give one of them");
  const { id } = await json<{ id: string }>(`add-label web ${range} --anomaly --note storm`);
  await ok(`add-label web --from now-50m --to now-40m --normal`);
  expect(await ok("list-labels web")).toMatch(new RegExp(`${id} .* anomaly +- +storm\\n.* normal `));
  expect(await json<unknown[]>("list-labels web --from now-55m")).toHaveLength(1);
  await ok(`delete-label web ${id}`);
  expect(await json<unknown[]>("list-labels web")).toMatchObject([{ anomaly: false }]);
  expect((await torus(`delete-label web ${id}`)).code).toBe(3);
});

test("watch-events prints what happens, and ends after a number of events", async () => {
  let isOver = false;
  const watching = torus("watch-events --types model --models web -n 2 --json").finally(
    () => (isOver = true),
  );
  // What happens before the stream is open is not seen.
  while (!isOver) await ok("add-label web --from now-9m --to now-8m --normal");
  const { code, out } = await watching;
  expect(code).toBe(0);
  const events = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as object);
  expect(events).toMatchObject(
    [1, 2].map(() => ({ event: "model", data: { model: "web", change: "labelled" } })),
  );
  const wrong = await torus("watch-events --types odd");
  expect([wrong.code, wrong.err]).toEqual([4, expect.stringContaining("must be some of model;live")]);
});

test("list-deliveries", async () => {
  expect((await torus("list-deliveries")).err).toBe("no deliveries\n");
  expect(await json("list-deliveries --state rejected --since now-1d")).toEqual([]);
  expect((await torus("list-deliveries --state lost")).err).toContain("must be some of waiting");
});

test("detect-bucket finds the spike, without a model", async () => {
  const range = `--from ${START} --to ${at(POINTS)} -i 15m`;
  const { err, out } = await torus(`detect-bucket metrics --field load ${range}`);
  expect(err).toBe("960 intervals of 900 s hold points\n");
  expect(out).toContain(new Date(at(SPIKE) * 1000).toISOString().slice(0, 10));
  const { anomalies } = await json<{ anomalies: object[] }>(`detect-bucket metrics --field load ${range}`);
  expect(anomalies).toContainEqual(expect.objectContaining({ peak: at(SPIKE), type: "high" }));
  expect((await torus("detect-bucket nope --field load")).err).toContain("bucket nope does not exist");
});
