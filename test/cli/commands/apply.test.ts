// Command apply: diff, changes, mistakes, pruning.
import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient } from "../../../src/cli/client/client.ts";
import { useSession } from "../session.ts";

setDefaultTimeout(180_000);
const session = useSession();
const { torus } = session;
let tests = 0;

const api = <T>(line: string, body?: unknown) =>
  createClient({ baseUrl: session.url, sleep: Bun.sleep }).call<T>(line, body === undefined ? {} : { body });

/** A directory of files, with names of its own for this test in place of `$`. */
function makeFiles(files: Record<string, string>): { dir: string; id: string } {
  const id = `t${tests++}`;
  const dir = join(session.dir, id);
  writeFiles(dir, id, files);
  return { dir, id };
}

function writeFiles(dir: string, id: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text.replaceAll("$ID", id));
  }
}

const bucket = "buckets: [{name: $ID_metrics, type: local}]\n";
const model = (threshold: number, more = "") => `models:
  - name: $ID_cpu
    type: donut
    default_bucket: $ID_metrics
    bucket_interval: 5m
    max_threshold: ${threshold}
    features: [{name: load, metric: avg, field: load}]
${more}`;
const hooks = `    hooks:
      - name: ops
        type: webhook
        config: {url: "https://example.org/in", secret: "\${HOOK_SECRET}"}
`;
const more = `templates:
  - name: $ID_host
    settings: {name: "{{host}}", type: donut, bucket_interval: 5m, features: [{name: x, metric: avg, field: x}]}
scheduled_jobs:
  - {name: "$ID train {{model_name}}", method: post, relative_url: "/models/{{model_name}}/_train", params: {from: now-30d}, every: {unit: day}}
`;
const env = { HOOK_SECRET: "s3cret-of-the-hook" };

test("apply creates what is missing, changes what differs, and does nothing the second time", async () => {
  const { dir, id } = makeFiles({
    "a/models.yml": model(70, hooks),
    "b.yaml": `${bucket}---\n${more}`,
    ".hidden/c.yml": "nonsense: 1",
    "notes.txt": "not read",
  });
  const dry = await torus(`apply -f ${dir} --dry-run --exit-code`, { env });
  expect([dry.code, dry.err]).toEqual([2, "dry run, nothing was changed: 5 to create\n"]);
  expect(await api<unknown[]>("GET /buckets")).toEqual([]);

  const first = await torus(`apply -f ${dir}`, { env });
  expect(first).toEqual({
    code: 0,
    out: [
      `+ bucket ${id}_metrics`,
      `+ template ${id}_host`,
      `+ model ${id}_cpu`,
      `+ hook ${id}_cpu/ops`,
      `+ scheduled job ${id} train ${id}_cpu`,
      "",
    ].join("\n"),
    err: "5 created\n",
  });
  expect(await api<object[]>(`GET /models/${id}_cpu`)).toMatchObject([{ settings: { max_threshold: 70 } }]);

  const second = await torus(`apply -f ${dir} --exit-code`, { env });
  expect(second).toEqual({ code: 0, out: "", err: "nothing to change: 5 up to date\n" });
  expect((await torus(`apply -f ${dir} -v`, { env })).out).toContain(`= model ${id}_cpu\n`);

  writeFiles(dir, id, { "a/models.yml": model(80, hooks).replace("metric: avg", "metric: max") });
  const third = await torus(`apply -f ${dir} --exit-code`, { env: { HOOK_SECRET: "another-one" } });
  expect(third.out).toBe(
    `~ model ${id}_cpu: max_threshold 70 -> 80, features.load.metric avg -> max\n` +
      `~ hook ${id}_cpu/ops: config.secret (secret)\n`,
  );
  expect([third.code, third.err]).toEqual([2, "2 changed, 3 unchanged\n"]);
  const seen = [first, second, third].map(({ out, err }) => out + err).join("") + session.log.join("");
  expect(seen).not.toContain("s3cret-of-the-hook");
  expect(seen).not.toContain("another-one");
});

test("every mistake is shown with its file, document and path; nothing is changed", async () => {
  const { dir, id } = makeFiles({
    "a.yml": `${bucket}---\nmodels:\n  - {name: bad name, type: donut}\nmodel: []\n`,
    "b.json": '{"kind": "hook", "name": "x", "model": "nowhere", "type": "slack", "config": {}}',
    "c.yml": "kind: bucket\nname: c\ntype: locl\n",
    "d.yml": "a: [",
    "e.yml": `kind: bucket\nname: \${NOT_SET}\n`,
  });
  const { code, out, err } = await torus(`apply -f ${dir}`);
  expect([code, out]).toEqual([2, ""]);
  const lines = err.trim().split("\n");
  const expected = [
    /a\.yml \(document 2\): model: is no section here; did you mean models\?/,
    /d\.yml:\d+:\d+: is neither JSON nor YAML/,
    /e\.yml: name: the environment variable NOT_SET is not set/,
    /a\.yml \(document 2\): models\.0\.name: must be 1 to 256/,
    /a\.yml \(document 2\): models\.0\.features: is required/,
    /a\.yml \(document 2\): models\.0\.bucket_interval: is required/,
    /b\.json: model: model nowhere exists neither/,
    /c\.yml: type: must be one of .*did you mean local\?/,
    /nothing was changed/,
  ];
  for (const pattern of expected) expect(lines).toContainEqual(expect.stringMatching(pattern));
  expect(lines).toHaveLength(expected.length);
  expect(JSON.stringify(await api("GET /buckets"))).not.toContain(`${id}_metrics`);
});

test("the hooks of a model go with its files, and the model with its section", async () => {
  const { dir, id } = makeFiles({ "a.yml": bucket, "m.yml": model(70, hooks) });
  await torus(`apply -f ${dir} --set h`, { env });
  writeFiles(dir, id, { "m.yml": model(70) });
  expect((await torus(`apply -f ${dir} --set h --prune`)).out).toBe(`- hook ${id}_cpu/ops\n`);
  await torus(`apply -f ${dir} --set h`, { env });
  writeFiles(dir, id, { "m.yml": model(70, hooks) });
  await torus(`apply -f ${dir} --set h`, { env });
  writeFiles(dir, id, { "m.yml": "models:\n" });
  expect((await torus(`apply -f ${dir} --set h --prune`)).out).toBe(
    `- hook ${id}_cpu/ops\n- model ${id}_cpu\n`,
  );
});

test("files without resources, and no file at all, are refused", async () => {
  const { dir } = makeFiles({ "a.txt": "" });
  expect(await torus(`apply -f ${dir}`)).toMatchObject({
    code: 2,
    err: expect.stringContaining("holds no *.yml"),
  });
  expect(await torus("apply -f -", { input: "# nothing\n" })).toMatchObject({ code: 2 });
  expect(await torus("apply -f /nowhere.yml")).toMatchObject({
    code: 2,
    err: expect.stringContaining("does not exist"),
  });
  expect(await torus("apply")).toMatchObject({ code: 2, err: expect.stringContaining("--file") });
});

test("prune deletes resources that an apply of this set created, and no others", async () => {
  const { dir, id } = makeFiles({ "a.yml": bucket, "m.yml": model(70) });
  await api("POST /buckets", { name: `${id}_hand`, type: "local" });
  await api("POST /buckets", { name: `${id}_adopted`, type: "local" });
  writeFiles(dir, id, {
    "extra.yml":
      "buckets:\n- {name: $ID_adopted, type: local, retention: 30d}\n- {name: $ID_old, type: local}\n- {name: $ID_again, type: local}\n",
  });
  const first = await torus(`apply -f ${dir} --set s1`);
  expect(first.out).toContain(`~ bucket ${id}_adopted: +retention 30d`);
  // Deleted and made again by hand: no longer of the set.
  await api(`DELETE /buckets/${id}_again`);
  const deletedAt = Date.now();
  while (Date.now() === deletedAt) await Bun.sleep(1);
  await api("POST /buckets", { name: `${id}_again`, type: "local" });

  writeFiles(dir, id, { "extra.yml": "buckets: []\n" });
  expect((await torus(`apply -f ${dir}`)).out).toBe("");
  expect((await torus(`apply -f ${dir} --prune --set other`)).out).toBe("");
  const dry = await torus(`apply -f ${dir} --prune --set s1 --dry-run`);
  expect(dry.out).toBe(`- bucket ${id}_old\n`);
  expect((await torus(`apply -f ${dir} --prune --set s1`)).out).toBe(`- bucket ${id}_old\n`);
  const names = (await api<{ name: string }[]>("GET /buckets")).map(({ name }) => name);
  for (const name of ["hand", "adopted", "again", "metrics"]) expect(names).toContain(`${id}_${name}`);
  expect(names).not.toContain(`${id}_old`);

  // Kinds the files do not speak of are left alone.
  rmSync(join(dir, "m.yml"));
  expect((await torus(`apply -f ${dir} --prune --set s1`)).out).toBe("");
  writeFiles(dir, id, { "m.yml": "models: []\n" });
  expect((await torus(`apply -f ${dir} --prune --set s1`)).out).toBe(`- model ${id}_cpu\n`);
});

test("a failure leaves the rest done, and the exit code is 1", async () => {
  const { dir, id } = makeFiles({
    "a.yml": bucket,
    "b.yml": model(70, "    live: {detect_anomalies: true}\n"),
  });
  const { code, out } = await torus(`apply -f ${dir}`);
  expect(code).toBe(1);
  expect(out).toContain(`! > model ${id}_cpu: start: model ${id}_cpu is not trained`);
  expect(await api<object[]>(`GET /models/${id}_cpu`)).toHaveLength(1);
});

test("a model is trained once and started; a second apply does neither", async () => {
  const { dir, id } = makeFiles({
    "a.yml": bucket,
    "b.yml": model(
      70,
      "    span: 8\n    train: {from: 2026-01-05, to: 2026-01-07, epochs: 1, max_evals: 1}\n    live: {detect_anomalies: true}\n",
    ),
  });
  await api("POST /buckets", { name: `${id}_metrics`, type: "local" });
  const start = Date.UTC(2026, 0, 5) / 1000;
  const points = Array.from({ length: 576 }, (_, i) => ({
    timestamp: start + i * 300,
    load: 10 + 5 * Math.sin((2 * Math.PI * i) / 288) + ((i * 7919) % 101) / 101,
  }));
  const job = await api<string>(`POST /buckets/${id}_metrics/_write`, points);
  await createClient({ baseUrl: session.url, sleep: Bun.sleep }).waitForJob(job);
  const first = await torus(`apply -f ${dir}`);
  expect(first.out).toBe(`+ model ${id}_cpu\n> model ${id}_cpu: train\n> model ${id}_cpu: start\n`);
  expect(await api<object[]>(`GET /models/${id}_cpu`)).toMatchObject([
    { state: { trained: true }, settings: { run: { detect_anomalies: true } }, live: {} },
  ]);
  expect((await torus(`apply -f ${dir} --exit-code`)).code).toBe(0);
  // A changed definition keeps what was learned.
  writeFiles(dir, id, { "b.yml": model(75, "    span: 8\n    live: false\n") });
  expect((await torus(`apply -f ${dir}`)).out).toBe(
    `~ model ${id}_cpu: max_threshold 70 -> 75\n> model ${id}_cpu: stop\n`,
  );
  expect(await api<object[]>(`GET /models/${id}_cpu/versions`)).toHaveLength(1);
});

test("omitted secrets stay; the type of a bucket cannot change", async () => {
  const { dir, id } = makeFiles({
    "a.yml":
      "kind: bucket\nname: $ID_influx\ntype: influxdb\nmeasurement: m\naddr: localhost:8086\ndatabase: a\ndbuser: u\ndbuser_password: pw-of-influx\n",
  });
  expect(await torus(`apply -f ${dir}`)).toMatchObject({ code: 0, err: "1 created\n" });
  writeFiles(dir, id, {
    "a.yml":
      "kind: bucket\nname: $ID_influx\ntype: influxdb\nmeasurement: m\naddr: localhost:8086\ndatabase: b\n",
  });
  expect((await torus(`apply -f ${dir}`)).out).toBe(`~ bucket ${id}_influx: database a -> b\n`);
  writeFiles(dir, id, {
    "a.yml":
      "kind: bucket\nname: $ID_influx\ntype: influxdb\nmeasurement: m\naddr: localhost:8086\ndatabase: b\ndbuser: u\ndbuser_password: pw-of-influx\n",
  });
  expect((await torus(`apply -f ${dir}`)).err).toBe("nothing to change: 1 up to date\n");
  writeFiles(dir, id, { "a.yml": "kind: bucket\nname: $ID_influx\ntype: local\n" });
  const { code, err } = await torus(`apply -f ${dir}`);
  expect([code, err]).toEqual([
    2,
    expect.stringContaining("type: is influxdb on the server and cannot be changed"),
  ]);
});

test("hooks without a model are global: created, changed by field, pruned", async () => {
  const hook = (more: string) =>
    `hooks:\n- {name: $ID_g, type: webhook, config: {url: "https://a.example/", secret: s-of-global}${more}}\n`;
  const { dir, id } = makeFiles({ "a.yml": hook("") });
  expect((await torus(`apply -f ${dir} --set g`)).out).toBe(`+ hook ${id}_g\n`);
  expect((await torus(`apply -f ${dir} --set g`)).err).toBe("nothing to change: 1 up to date\n");
  writeFiles(dir, id, { "a.yml": hook(', selector: {models: ["web*"]}') });
  const changed = await torus(`apply -f ${dir} --set g`);
  expect(changed.out).toBe(`~ hook ${id}_g: +selector.models ["web*"]\n`);
  expect(await api<object>(`GET /hooks/${id}_g`)).toMatchObject({ selector: { models: ["web*"] } });
  // Files of models do not speak of global hooks.
  writeFiles(dir, id, { "a.yml": "models: []\n" });
  expect((await torus(`apply -f ${dir} --set g --prune`)).out).toBe("");
  writeFiles(dir, id, { "a.yml": "hooks: []\n" });
  expect((await torus(`apply -f ${dir} --set g --prune`)).out).toBe(`- hook ${id}_g\n`);
  expect(await api<string[]>("GET /hooks")).not.toContain(`${id}_g`);
});
