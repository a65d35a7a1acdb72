// Overlays of Kustomize, rendered by the few of its rules that deploy/kubernetes uses: bases, resources, generated
// ConfigMaps without the hash in their names, strategic merge patches, images.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly [field: string]: unknown;
}

export interface Kustomization {
  readonly apiVersion: string;
  readonly kind: "Kustomization";
  readonly bases?: readonly string[];
  readonly resources?: readonly string[];
  readonly patchesStrategicMerge?: readonly string[];
  readonly configMapGenerator?: readonly { readonly name: string; readonly files: readonly string[] }[];
  readonly images?: readonly { readonly name: string; readonly newName: string }[];
}

/** Fields by which the entries of lists are merged, of those that have one. */
const KEYS = ["name", "mountPath"] as const;

export const readKustomization = (folder: string): Kustomization =>
  parse(readFileSync(join(folder, "kustomization.yml"), "utf8"));

/** Objects of an overlay or a base. @throws Error naming a patch that changes nothing */
export function render(folder: string): Manifest[] {
  const read = (name: string) => readFileSync(join(folder, name), "utf8");
  const {
    bases = [],
    resources = [],
    patchesStrategicMerge: patches = [],
    ...rest
  } = readKustomization(folder);
  const objects = [
    ...bases.flatMap((base) => render(join(folder, base))),
    ...resources.map((name) => parse(read(name)) as Manifest),
    ...(rest.configMapGenerator ?? []).map(({ name, files }) => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data: Object.fromEntries(files.map((file) => [file, read(file)])),
    })),
  ];
  for (const name of patches) {
    const patch = parse(read(name)) as Manifest;
    const at = objects.findIndex((other) => isSame(other, patch));
    if (at < 0) throw new Error(`${name} patches nothing`);
    objects[at] = merge(objects[at], patch) as Manifest;
  }
  return setImages(objects, rest.images ?? []);
}

/** Names of the files that a kustomization reads, itself included. */
export function listFiles(folder: string): string[] {
  const {
    resources = [],
    patchesStrategicMerge: patches = [],
    configMapGenerator = [],
  } = readKustomization(folder);
  const names = [
    "kustomization.yml",
    ...resources,
    ...patches,
    ...configMapGenerator.flatMap(({ files }) => files),
  ];
  return names.sort();
}

const isSame = (a: Manifest, b: Manifest) =>
  a.apiVersion === b.apiVersion && a.kind === b.kind && a.metadata.name === b.metadata.name;

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function merge(target: unknown, patch: unknown): unknown {
  if (Array.isArray(target) && Array.isArray(patch)) return mergeLists(target, patch);
  if (!isMap(target) || !isMap(patch)) return patch;
  const changed = Object.entries(patch).map(([name, value]) => [name, merge(target[name], value)]);
  return { ...target, ...Object.fromEntries(changed) };
}

function mergeLists(target: readonly unknown[], patch: readonly unknown[]): unknown[] {
  const key = KEYS.find((name) => [...target, ...patch].every((entry) => isMap(entry) && name in entry));
  if (!key) return [...patch];
  const find = (entries: readonly unknown[], like: unknown) =>
    entries.find(
      (entry) => (entry as Record<string, unknown>)[key] === (like as Record<string, unknown>)[key],
    );
  const kept = target.map((entry) => merge(entry, find(patch, entry) ?? entry));
  return [...kept, ...patch.filter((entry) => !find(target, entry))];
}

function setImages(objects: readonly Manifest[], images: NonNullable<Kustomization["images"]>): Manifest[] {
  return JSON.parse(JSON.stringify(objects), (field, value) => {
    const image = field === "image" && images.find(({ name }) => (value as string).split(":")[0] === name);
    return image ? `${image.newName}${(value as string).slice(image.name.length)}` : value;
  });
}
