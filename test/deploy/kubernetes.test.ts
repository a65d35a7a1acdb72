// The manifests of deploy/kubernetes: the types of Kubernetes' API accept every field, and what they name exists.
import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1";
import type { Container, PodSpec, Secret, Service } from "kubernetes-types/core/v1";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1";
import { parse } from "yaml";
import { readSettings } from "../../src/settings/load.ts";
import { startTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";

const root = resolve(import.meta.dir, "../..");
const folder = join(root, "deploy/kubernetes");
const read = (name: string) => parse(readFileSync(join(folder, name), "utf8"));

/** Module of each kind's type. */
const modules: Readonly<Record<string, string>> = {
  ConfigMap: "core/v1",
  Deployment: "apps/v1",
  PodDisruptionBudget: "policy/v1",
  Secret: "core/v1",
  Service: "core/v1",
};
const dockerfile = readFileSync(join(root, "deploy/Dockerfile"), "utf8");
const files = readdirSync(folder).sort();
const deployment = read("deployment.yml") as Deployment;
const pod = deployment.spec!.template.spec as PodSpec;
const [container] = pod.containers as [Container];
const settings = read("configmap.yml").data["torus.yml"] as string;
const secret = read("secret.yml.example") as Secret;

/** Checks objects as literals of their types, which may hold no other field. @returns what the compiler says */
async function check(manifests: readonly unknown[]): Promise<string> {
  const dir = temporaryFolder();
  const literals = manifests.map((manifest, i) => {
    const { kind, apiVersion } = manifest as { kind: string; apiVersion: string };
    expect(modules[kind]).toEndWith(apiVersion.split("/").at(-1)!);
    return `import type { ${kind} as Kind${i} } from "kubernetes-types/${modules[kind]}";
export const manifest${i}: Kind${i} = ${JSON.stringify(manifest, null, 1)};`;
  });
  mkdirSync(join(dir, "node_modules"));
  symlinkSync(join(root, "node_modules/kubernetes-types"), join(dir, "node_modules/kubernetes-types"));
  writeFileSync(join(dir, "manifests.ts"), literals.join("\n"));
  const tsc = join(root, "node_modules/.bin/tsc");
  const flags = ["--noEmit", "--strict", "--skipLibCheck", "--module", "esnext"];
  const command = [tsc, ...flags, "--moduleResolution", "bundler", "--types", "", "manifests.ts"];
  const child = Bun.spawn(command, { cwd: dir, stdout: "pipe", stderr: "pipe" });
  const output = await new Response(child.stdout).text();
  await child.exited;
  return output;
}

test("every manifest has the fields of its kind, and no other", async () => {
  expect(files).toEqual([
    "configmap.yml",
    "deployment.yml",
    "disruption-budget.yml",
    "secret.yml.example",
    "service.yml",
  ]);
  expect(await check(files.map(read))).toBe("");
});

test("the check finds a field of another place and one that is missing", async () => {
  const misplaced = structuredClone(deployment) as unknown as { spec: Record<string, unknown> };
  misplaced.spec.terminationGracePeriodSeconds = 45;
  expect(await check([misplaced])).toContain("terminationGracePeriodSeconds\"' does not exist in type");
  const { selector: _, ...spec } = deployment.spec!;
  expect(await check([{ ...deployment, spec }])).toContain("Property 'selector' is missing");
});

test("selectors choose the pods, names are those of what is there", () => {
  const labels = deployment.spec!.template.metadata!.labels!;
  const selectors = [
    deployment.spec!.selector.matchLabels,
    (read("disruption-budget.yml") as PodDisruptionBudget).spec!.selector!.matchLabels,
    (read("service.yml") as Service).spec!.selector,
    ...pod.topologySpreadConstraints!.map(({ labelSelector }) => labelSelector!.matchLabels),
    ...pod.affinity!.podAntiAffinity!.preferredDuringSchedulingIgnoredDuringExecution!.map(
      ({ podAffinityTerm }) => podAffinityTerm.labelSelector!.matchLabels,
    ),
  ];
  expect(selectors).toEqual(selectors.map(() => labels));
  expect(pod.volumes!.map(({ name }) => name)).toEqual(container.volumeMounts!.map(({ name }) => name));
  expect(pod.volumes!.flatMap(({ configMap }) => configMap?.name ?? [])).toEqual([
    read("configmap.yml").metadata.name,
  ]);
  const keys = container.env!.flatMap(({ name, valueFrom }) => {
    const reference = valueFrom?.secretKeyRef;
    if (!reference) return [];
    expect([reference.name, reference.key]).toEqual([secret.metadata!.name!, name]);
    return [name];
  });
  expect(keys.sort()).toEqual(Object.keys(secret.stringData!).sort());
  expect(new Set(Object.values(secret.stringData!))).toEqual(new Set(["REPLACE-ME"]));
});

test("the server accepts the settings, with the variables of the pod alone", () => {
  const values: Readonly<Record<string, string>> = {
    PG_PASSWORD: "pw",
    TORUS_KEY: Buffer.alloc(32, 1).toString("base64"),
    TORUS_TOKEN: "0123456789abcdef".repeat(4),
    POD_NAME: "torus-1",
  };
  const file = `${container.volumeMounts!.find(({ name }) => name === "settings")!.mountPath}/torus.yml`;
  const readFile = (path: string) => {
    if (path === file) return settings;
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  };
  // Variables of the image precede the settings file.
  const image = [...dockerfile.matchAll(/^ENV (\w+)=(\S+)$/gm)].map(([, name, value]) => [name, value]);
  expect(image).toHaveLength(1);
  const own = container.env!.map(({ name, value }) => [name, value ?? values[name]]);
  const env = Object.fromEntries([...image, ...own]);
  const { settings: found } = readSettings({ argv: [...container.args!], env, readFile });
  const port = container.ports!.find(({ name }) => name === "http")!.containerPort;
  expect(found).toMatchObject({ listen: { host: "0.0.0.0", port }, nodeName: "torus-1", ignored: [] });
  expect(found.postgres?.url).toStartWith("postgres://torus:pw@");
  const writable = pod.volumes!.filter(({ emptyDir }) => emptyDir).map(({ name }) => name);
  const mounts = container.volumeMounts!.filter(({ name }) => writable.includes(name));
  expect(
    mounts.map(({ mountPath }) => mountPath).filter((path) => found.dataDir.startsWith(`${path}/`)),
  ).toEqual(["/data"]);
  // The rest of the grace is for the store, after requests.
  const [, pause] = container.lifecycle!.preStop!.exec!.command!;
  const graceMs = pod.terminationGracePeriodSeconds! * 1000;
  expect(graceMs).toBeGreaterThanOrEqual(Number(pause) * 1000 + found.limits.stopMs + 20_000);
});

test("probes ask routes of the server, by any name, without a token", async () => {
  const server = await startTestServer({
    settings: `server.auth.tokens: [{name: ops, scope: admin, token: ${"0123456789abcdef".repeat(4)}}]`,
  });
  const { startupProbe, livenessProbe, readinessProbe } = container;
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
    const { path, port } = probe!.httpGet!;
    expect(port).toBe("http");
    const answer = await fetch(`${server.url}${path}`, { headers: { host: "10.1.2.3:8077" } });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
  }
  await server.stop();
});

test("the container may do as little as the image allows", () => {
  const { runAsUser, runAsNonRoot } = pod.securityContext!;
  expect(dockerfile).toContain(`--uid ${runAsUser} `);
  expect(dockerfile).toContain('ENTRYPOINT ["torus"]');
  expect([runAsNonRoot, pod.automountServiceAccountToken]).toEqual([true, false]);
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ["ALL"] },
  });
});
