// Commands of models: training, forecast, plot, versions, templates, backtest.
import { beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import type { SeriesResult } from "../../../../src/cli/client/views.ts";
import { at, DAY, importLoad, makeCsv, model, POINTS, SPIKE, START } from "../../load-series.ts";
import { useSession } from "../../session.ts";

setDefaultTimeout(180_000);
const session = useSession();
const { torus, ok, json, makeFile } = session;
beforeAll(() => importLoad(session));

test("create-model reads YAML and JSON", async () => {
  await ok(`create-model ${makeFile("web.yml", model)}`);
  const again = await torus("create-model -", { input: model });
  expect(again.code).toBe(4);
  expect(again.err).toContain("model web exists already");
  expect((await torus("create-model - --force", { input: model })).code).toBe(0);
  const bad = await torus(`create-model ${makeFile("bad.yml", "a: [1")}`);
  expect([bad.code, bad.err]).toEqual([2, expect.stringMatching(/bad\.yml:1:\d+: is neither JSON nor YAML/)]);
  expect(await ok("list-models")).toMatch(/^web +donut +metrics +15m +load +new +-$/m);
});

test("train-model, forecast-model, eval-model", async () => {
  const trained = await torus(`train-model web -f ${START} -t ${at(7 * DAY)} -m 1 -e 10`);
  expect(trained.err).toMatch(/trained web in \S+ s: span 24, loss \S+\n$/);
  expect([trained.code, trained.out]).toEqual([0, ""]);
  expect(await ok("list-models")).toMatch(/ trained /);
  expect(await ok("list-model-versions web")).toMatch(/^00 +active /m);

  const range = `-f ${at(8 * DAY)} -t ${at(8 * DAY + 4)}`;
  const forecast = await ok(`forecast-model web ${range} -p 0.9 -c load:low:-1000`);
  expect(forecast).toMatch(/^TIME \(UTC\) +LOAD +EXPECTED +LOWER +UPPER$/m);
  expect(forecast).toContain("load falls below -1000: not in this range");
  expect(forecast.trim().split("\n").length).toBe(6);
  const reached = await ok(`forecast-model web ${range} -p 0.9 -c load:high:-1000`);
  expect(reached).toMatch(/load exceeds -1000: (\S+) \(band: from \1 to \1\)\n$/);

  const evaluation = await ok(`eval-model web -f ${at(SPIKE - 2)} -t ${at(SPIKE + 1)} -a`);
  expect(evaluation).toMatch(/SCORE$/m);
  expect(evaluation.trim().split("\n").at(-1)).toMatch(/ anomaly$/);
  const raw = await json<SeriesResult>(`predict-model web -f ${at(SPIKE)} -t ${at(SPIKE + 1)} -a`);
  expect(raw.stats).toMatchObject([{ anomaly: true }]);
});

test("plot draws a model, a forecast after its past, and a bucket", async () => {
  const range = `-f ${at(SPIKE - DAY)} -t ${at(SPIKE + 4)}`;
  const chart = await ok(`plot web ${range}`);
  expect(chart).toStartWith("load (UTC): line observed, dots expected, shade the band\n");
  expect(chart).toMatch(/[\u2801-\u28ff]/);
  expect(chart).toMatch(/^anomaly │ +▀/m);
  expect(chart).not.toContain("\x1b");
  expect((await torus(`plot web ${range}`, { isTty: true })).out).toContain("\x1b[");
  expect((await torus(`plot web ${range} --no-color`, { isTty: true })).out).not.toContain("\x1b[");

  const next = await json<SeriesResult>(`plot web --forecast -f ${at(8 * DAY)} -t ${at(8 * DAY + 8)}`);
  expect(next.timestamps).toEqual(Array.from({ length: 16 }, (_, i) => at(8 * DAY - 8 + i)));
  expect(await ok(`plot --bucket metrics -F 'max(load)' ${range}`)).toStartWith("max_load (UTC)\n");
  expect((await torus(`plot web ${range} -F laod`)).err).toContain("did you mean load?");
  expect((await torus("plot")).err).toContain("MODEL: is required, or --bucket BUCKET");
  expect((await torus("plot web")).err).toContain("--from: is required");
});

test("load-model-version, show-model", async () => {
  expect((await torus("load-model-version web -v 00")).err).toBe("web now uses version 00\n");
  expect((await torus("load-model-version web --version 07")).code).toBe(3);
  expect(await ok("show-model web")).toMatch(/^settings:\n {2}name: web\n/);
  expect(await json("show-model web web")).toMatchObject([{ state: { trained: true } }, {}]);
  const text = await ok("show-model web");
  expect(text).toMatch(/^# web is trained: 672 points, span 24, loss \S+, confidence fair$/m);
  expect(text).toMatch(/^# thresholds: \d+\.\d starts an anomaly, \d+\.\d ends it \(automatic\)$/m);
  expect(text).toEndWith("# not live\n");
});

test("a job that fails is exit code 1, with its reason", async () => {
  const { code, out, err } = await torus("train-model web -f 2020-01-01 -t 2020-02-01");
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(/^torus: training job failed: no data found for time range/m);
  expect(await ok("show-model web")).toMatch(/^# the last training failed: no data found for time range/m);
});

test("train-model '*' trains every model; an interrupt cancels the job on the server", async () => {
  const started = Promise.withResolvers<() => void>();
  const training = torus(`train-model '*' -f ${START} -t ${at(9 * DAY)} -e 100000`, {
    onReady: started.resolve,
  });
  const interrupt = await started.promise;
  const running = () => json<{ state: string }[]>("list-jobs --active");
  while ((await running())[0]?.state !== "running") await Bun.sleep(20);
  interrupt();
  const { code, err } = await training;
  expect(code).toBe(130);
  expect(err).toMatch(/^torus: canceled job [0-9a-f-]{36}$/m);
  expect(await running()).toEqual([]);
});

test("train-model '*' --json prints one document", async () => {
  const range = `-f ${START} -t ${at(3 * DAY)} -m 1 -e 1`;
  const jobs = await json<{ type: string }[]>(`train-model '*' ${range}`);
  expect(jobs).toMatchObject([{ type: "training", state: "done" }]);
  const ids = await json<string[]>(`train-model '*' ${range} --detach`);
  expect(ids).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  await ok(`show-job ${ids[0]} --wait`);
  expect(await json<unknown[]>("list-jobs -i", { isTty: true })).not.toEqual([]);
});

test("train-model '*' continues after a failure; 'a;b' is a list", async () => {
  await ok("create-bucket -", { input: '{"name": "void", "type": "local"}' });
  const empty = model.replace("name: web", "name: bare").replace("bucket: metrics", "bucket: void");
  await ok("create-model -", { input: empty });
  await ok("create-model -", { input: model.replace("name: web", "name: also") });
  const range = `-f ${START} -t ${at(3 * DAY)} -m 1 -e 1`;
  const every = await torus(`train-model '*' ${range}`);
  expect([every.code, every.out]).toEqual([1, ""]);
  expect(every.err).toMatch(/^torus: bare: training job failed: no data found/m);
  expect(every.err).toMatch(/^trained also in /m);
  expect(every.err).toMatch(/^trained web in /m);
  expect(every.err).toEndWith("torus: trained 2 of 3 models; failed: bare\n");
  const raw = await torus(`train-model '*' ${range} --json`);
  expect(raw.code).toBe(1);
  expect(JSON.parse(raw.out)).toMatchObject([{ model: "also" }, { model: "web" }]);

  const both = await torus(`train-model 'web;also' ${range}`);
  expect(both.code).toBe(0);
  expect(both.err).toMatch(/^trained web in [\s\S]*^trained also in /m);
  const before = (await json<unknown[]>("list-jobs")).length;
  const unknown = await torus(`train-model 'web;none' ${range}`);
  expect([unknown.code, unknown.err]).toEqual([3, "torus: model none does not exist\n"]);
  expect(await json<unknown[]>("list-jobs")).toHaveLength(before);

  const started = await torus("start-model '*' --anomalies");
  expect([started.code, started.out]).toEqual([1, ""]);
  expect(started.err).toMatch(/^torus: bare: .*not trained/m);
  expect(started.err).toEndWith("torus: started 2 of 3 models; failed: bare\n");
  expect((await torus("stop-model 'web;also'")).err).toBe("stopped web, also\n");
  expect((await torus("delete-model 'bare;also'")).err).toBe("deleted bare, also\n");
  await ok("delete-bucket void");
});

test("templates: create, list, show, fill in, delete", async () => {
  const file = makeFile("template.yml", model.replace("name: web", "name: '{{host}}_load'"));
  await ok(`create-template host_load ${file}`);
  expect(await ok("list-model-templates")).toMatch(/^host_load +host$/m);
  expect(await ok("show-template host_load")).toContain("{{host}}_load");
  const params = '{"host": "db"}';
  expect((await torus("create-model -t host_load -", { input: params })).err).toBe("created model db_load\n");
  expect((await torus("create-model -f -t host_load -", { input: params })).code).toBe(0);
  expect(await ok("list-models -q")).toBe("db_load\nweb\n");
  await ok("delete-model db_load");
  await ok("delete-template host_load");
  expect((await torus("list-templates")).err).toBe("no templates yet: torus create-template\n");
});

describe("migrate-template", () => {
  const match = "match_all: [{tag: host, value: '{{host}}'}]";
  const template = model
    .replace("name: web", "name: 'load_{{host}}'")
    .replace("field: load}", `field: load, ${match}}`);

  beforeAll(async () => {
    await ok("import-csv - --bucket metrics --tag-columns host", { input: makeCsv() });
    await ok(`create-template hosts ${makeFile("hosts.yml", template)}`);
    for (const host of ["web", "db"])
      await ok("create-model -t hosts -", { input: JSON.stringify({ host }) });
  });

  test("prints the plan", async () => {
    const { out, err } = await torus("migrate-template hosts --dry-run");
    expect(out).toMatch(/^MODEL +HOST +OUTCOME\nload_db +db +series\nload_web +web +series\n$/);
    expect(err).toBe("would create model hosts: 2 series, 0 anomalies, 0 labels, no hooks\n");
    expect(await ok("migrate-template hosts --dry-run -q")).toBe("load_db\nload_web\n");
  });

  test.each([
    ["--dry-run --train", "--train: cannot be used with --dry-run"],
    ["--from now-7d", "--from: needs --train"],
  ])("%s is a usage error", async (words, message) => {
    const { code, err } = await torus(`migrate-template hosts ${words}`);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });

  test("a refusal of the server is exit code 4", async () => {
    const { code, err } = await torus("migrate-template hosts --group-by rack,dc");
    expect([code, err]).toEqual([4, expect.stringContaining("none has rack, they have host")]);
  });

  test("creates the model, and names what comes next", async () => {
    const { err } = await torus("migrate-template hosts --name spare --models load_web,load_db");
    expect(err).toContain("created model spare: 2 series");
    expect(err).toEndWith(
      "next: torus train-model spare --from now-30d, then torus start-model spare --anomalies\n",
    );
    await ok("delete-model spare");
  });

  test("trains and starts it, and deletes the single models", async () => {
    const { code, err } = await torus(`migrate-template hosts --delete --train --start -f ${START}`);
    expect(err).toContain("2 single models deleted\n");
    expect([code, err]).toEqual([0, expect.stringMatching(/trained hosts\nstarted hosts\n$/)]);
    expect(await ok("list-models -q")).toBe("hosts\nweb\n");
    await ok("stop-model hosts");
    await ok("delete-model hosts");
    await ok("delete-template hosts");
  });
});

test("export-model and import-model preserve the training", async () => {
  const file = join(session.dir, "web.json");
  await ok(`export-model web ${file}`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await ok(`import-model ${file} --name copy`);
  const range = `-f ${at(SPIKE - 4)} -t ${at(SPIKE + 1)} -a`;
  expect(await json(`eval-model copy ${range}`)).toEqual(await json(`eval-model web ${range}`));
  await ok("delete-model copy");
  const onnx = await json<{ bytes: number }>(`export-model web ${join(session.dir, "web.onnx")} --onnx`);
  expect(onnx.bytes).toBe(statSync(join(session.dir, "web.onnx")).size);
});

test("backtest shows episodes, thresholds and how they fit the labels", async () => {
  const range = `-f ${START} -t ${at(POINTS)} --train-to ${at(7 * DAY)} -m 1 -e 10`;
  const labels = makeFile("labels.csv", `from,to\n${at(SPIKE - 1)},${at(SPIKE + 2)}\n`);
  const text = await ok(`backtest web ${range} --labels ${labels} --plot`);
  expect(text).toMatch(
    /^trained on {4}2026-01-05 00:00:00 to 2026-01-12 00:00:00 UTC: 672 points, span 24$/m,
  );
  expect(text).toMatch(/^START \(UTC\) +END \(UTC\) +PEAK +FEATURE +EXPECTED +OBSERVED$/m);
  expect(text).toMatch(/ load .* true$/m);
  expect(text).toMatch(/^THRESHOLD +EPISODES +PER WEEK +PRECISION +RECALL +F1$/m);
  expect(text).toMatch(/ effective$/m);
  expect(text).toContain("1 of 1 labels found");
  expect(text).toMatch(/^score \(UTC\)$/m);
  const raw = await json<{ labels: { found: number } }>(
    `backtest web ${range} --label ${at(SPIKE)}..${at(SPIKE + 1)}`,
  );
  expect(raw.labels.found).toBe(1);
  expect((await torus(`backtest web ${range} --label 2026-01-14`)).err).toContain("<start>..<end>");
});
