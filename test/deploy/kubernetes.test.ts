// The overlays of deploy/kubernetes: the types of Kubernetes' API accept every field, what they name exists, and
// kubectl renders the same objects.
import { describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Deployment } from "kubernetes-types/apps/v1";
import type { Container, PodSpec, Secret, Service } from "kubernetes-types/core/v1";
import type { PodDisruptionBudget } from "kubernetes-types/policy/v1";
import { parse } from "yaml";
import { manifest as release } from "../../.ci/release/manifest.ts";
import { readSettings } from "../../src/settings/load.ts";
import { startTestServer } from "../contract/server.ts";
import { temporaryFolder } from "../support/folder.ts";
import { listFiles, type Manifest, render } from "./kustomize.ts";

const root = resolve(import.meta.dir, "../..");
const folder = join(root, "deploy/kubernetes");
const overlays = ["one-server", "three-nodes"] as const;
type Overlay = (typeof overlays)[number];
const folderOf = (overlay: Overlay) => join(folder, "overlays", overlay);
const kubectl = Bun.which("kubectl");
if (!kubectl) console.warn("overlays not rendered by kubectl: it is not installed");

/** Module of each kind's type. */
const modules: Readonly<Record<string, string>> = {
  ConfigMap: "core/v1",
  Deployment: "apps/v1",
  PersistentVolumeClaim: "core/v1",
  PodDisruptionBudget: "policy/v1",
  Secret: "core/v1",
  Service: "core/v1",
};

/** An overlay with what the tests look at. */
function open(overlay: Overlay) {
  const objects = render(folderOf(overlay));
  const find = <T>(kind: string) => objects.find((object) => object.kind === kind) as T;
  const deployment = find<Deployment>("Deployment");
  const pod = deployment.spec!.template.spec as PodSpec;
  const [container] = pod.containers as [Container];
  const secret = parse(readFileSync(join(folderOf(overlay), "secret.yml.example"), "utf8")) as Secret;
  return { objects, find, deployment, pod, container, secret };
}

/** Checks objects as literals of their types, which may hold no other field. @returns what the compiler says */
async function check(manifests: readonly unknown[]): Promise<string> {
  const dir = temporaryFolder();
  const literals = manifests.map((manifest, i) => {
    const { kind, apiVersion } = manifest as Manifest;
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

test("every object has the fields of its kind, and no other", async () => {
  const objects = overlays.flatMap((overlay) => [...open(overlay).objects, open(overlay).secret]);
  expect(await check(objects)).toBe("");
});

test("the check finds a field of another place and one that is missing", async () => {
  const { deployment } = open("one-server");
  const misplaced = structuredClone(deployment) as unknown as { spec: Record<string, unknown> };
  misplaced.spec.terminationGracePeriodSeconds = 45;
  expect(await check([misplaced])).toContain("terminationGracePeriodSeconds\"' does not exist in type");
  const { selector: _, ...spec } = deployment.spec!;
  expect(await check([{ ...deployment, spec }])).toContain("Property 'selector' is missing");
});

test("kustomizations read every file of their folders but the example of the secret", () => {
  const secret = "secret.yml.example";
  for (const path of [join(folder, "base"), ...overlays.map(folderOf)])
    expect(
      readdirSync(path)
        .filter((name) => name !== secret)
        .sort(),
    ).toEqual(listFiles(path));
});

/** Maps and lists in one order, names without the hash of what they hold. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(normalize).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value === "string") return value.replace(/^torus-[a-z0-9]{10}$/, "torus");
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, entry]) => [name, normalize(entry)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

test.skipIf(!kubectl).each(overlays)("kubectl renders %s", async (overlay) => {
  const child = Bun.spawn([kubectl!, "kustomize", folderOf(overlay)], { stdout: "pipe", stderr: "ignore" });
  const rendered = (await new Response(child.stdout).text()).split(/^---$/m).map((text) => parse(text));
  expect(await child.exited).toBe(0);
  expect(normalize(rendered)).toEqual(normalize(open(overlay).objects));
  // The pods follow a change of the settings.
  const names = rendered.filter(({ kind }) => kind === "ConfigMap").map(({ metadata }) => metadata.name);
  expect(names).toEqual([expect.stringMatching(/^torus-[a-z0-9]{10}$/)]);
  expect(JSON.stringify(rendered.find(({ kind }) => kind === "Deployment"))).toContain(`"${names[0]}"`);
});

describe.each(overlays)("%s", (overlay) => {
  const { objects, find, deployment, pod, container, secret } = open(overlay);

  test("selectors choose the pods, names are those of what is there", () => {
    const labels = deployment.spec!.template.metadata!.labels!;
    const budget = find<PodDisruptionBudget | undefined>("PodDisruptionBudget");
    const selectors = [
      deployment.spec!.selector.matchLabels,
      find<Service>("Service").spec!.selector,
      ...(budget ? [budget.spec!.selector!.matchLabels] : []),
      ...(pod.topologySpreadConstraints ?? []).map(({ labelSelector }) => labelSelector!.matchLabels),
      ...(pod.affinity?.podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(
        ({ podAffinityTerm }) => podAffinityTerm.labelSelector!.matchLabels,
      ),
    ];
    expect(selectors).toEqual(selectors.map(() => labels));
    expect(find<Service>("Service").spec!.ports!.map(({ targetPort }) => targetPort)).toEqual(
      container.ports!.map(({ name }) => name),
    );
    const mounted = container.volumeMounts!.map(({ name }) => name);
    expect(pod.volumes!.map(({ name }) => name).sort()).toEqual(mounted.sort());
    const named = pod.volumes!.flatMap(({ configMap, persistentVolumeClaim: claim }) => [
      ...(configMap ? [`ConfigMap ${configMap.name}`] : []),
      ...(claim ? [`PersistentVolumeClaim ${claim.claimName}`] : []),
    ]);
    const made = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    expect(named.filter((name) => !made.includes(name))).toEqual([]);
  });

  test("the example of the secret has the keys that the pods read, without values", () => {
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
    const { settings, grace } = readPod(overlay);
    const port = container.ports!.find(({ name }) => name === "http")!.containerPort;
    expect(settings).toMatchObject({
      listen: { host: "0.0.0.0", port },
      externalUrl: "https://torus.example.org",
      ignored: [],
    });
    expect(settings.security.auth.tokens).toHaveLength(1);
    // The rest of the grace is for the store, after requests.
    expect(grace.totalMs).toBeGreaterThanOrEqual(grace.pauseMs + settings.limits.stopMs + 20_000);
  });

  test("the pod may do as little as the image allows", () => {
    const { uid } = release.user;
    expect(pod.securityContext).toEqual({
      runAsNonRoot: true,
      runAsUser: uid,
      runAsGroup: uid,
      fsGroup: uid,
      fsGroupChangePolicy: "OnRootMismatch",
      seccompProfile: { type: "RuntimeDefault" },
    });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  });

  test("the image is that of the release, from a registry; its resources are bounded", () => {
    expect(container.image).toBe(`registry.example.org/${release.name}:${release.version}`);
    expect(Object.keys(container.resources!.requests!)).toEqual(["cpu", "memory", "ephemeral-storage"]);
    expect(Object.keys(container.resources!.limits!)).toEqual(["memory", "ephemeral-storage"]);
  });
});

/** Settings of a server in a pod, and the time that its stop has. */
function readPod(overlay: Overlay) {
  const { find, pod, container } = open(overlay);
  const values: Readonly<Record<string, string>> = {
    PG_PASSWORD: "pw",
    TORUS_KEY: Buffer.alloc(32, 1).toString("base64"),
    TORUS_TOKEN: "0123456789abcdef".repeat(4),
    POD_NAME: "torus-1",
  };
  const file = `${container.volumeMounts!.find(({ name }) => name === "settings")!.mountPath}/torus.yml`;
  const readFile = (path: string) => {
    if (path === file) return find<{ data: Record<string, string> }>("ConfigMap").data["torus.yml"]!;
    throw Object.assign(new Error("no such file"), { code: "ENOENT" });
  };
  // Variables of the image precede the settings file.
  const own = container.env!.map(({ name, value }) => [name, value ?? values[name]]);
  const env = { TORUS_STORAGE_PATH: release.image.state, ...Object.fromEntries(own) };
  const { settings } = readSettings({ argv: [...container.args!], env, readFile });
  const pauseMs = container.lifecycle!.preStop!.sleep!.seconds * 1000;
  return { settings, grace: { totalMs: pod.terminationGracePeriodSeconds! * 1000, pauseMs } };
}

test("one server keeps its state in the volume, and never runs beside its successor", () => {
  const { deployment, container, pod } = open("one-server");
  const { settings } = readPod("one-server");
  const { mountPath } = container.volumeMounts!.find(({ name }) => name === "data")!;
  expect(settings.postgres).toBeUndefined();
  expect(settings.dataDir).toStartWith(`${mountPath}/`);
  expect(pod.volumes!.find(({ name }) => name === "data")!.persistentVolumeClaim).toBeDefined();
  expect(deployment.spec).toMatchObject({ replicas: 1, strategy: { type: "Recreate" } });
});

test("three nodes keep their state in PostgreSQL, and two of them stay while hosts are drained", () => {
  const { deployment, find } = open("three-nodes");
  const { settings } = readPod("three-nodes");
  expect(settings.postgres?.url).toStartWith("postgres://torus:pw@");
  expect(settings.nodeName).toBe("torus-1");
  expect(deployment.spec!.replicas).toBe(3);
  expect(find<PodDisruptionBudget>("PodDisruptionBudget").spec!.maxUnavailable).toBe(1);
});

test("probes ask routes of the server, by any name, without a token", async () => {
  const server = await startTestServer({
    settings: `server.auth.tokens: [{name: ops, scope: admin, token: ${"0123456789abcdef".repeat(4)}}]`,
  });
  const { startupProbe, livenessProbe, readinessProbe } = open("one-server").container;
  for (const probe of [startupProbe, livenessProbe, readinessProbe]) {
    const { path, port } = probe!.httpGet!;
    expect(port).toBe("http");
    const answer = await fetch(`${server.url}${path}`, { headers: { host: "10.1.2.3:8077" } });
    expect([path, answer.status]).toEqual([path, 200]);
    await answer.text();
  }
  await server.stop();
});
