// Settings files: YAML to plain data; `storage.path: x` stands for nested keys.
import { type TSchema, TypeGuard } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";
import { placeOf, readYaml } from "../core/formats/yaml.ts";

type Tree = Record<string, unknown>;

/** @throws TorusError `invalid` naming the file and the line */
export function parseYaml(text: string, file: string): Tree {
  const read = readYaml(text);
  if ("mistake" in read)
    throw invalid(placeOf(read.mistake, file), `is not valid YAML: ${read.mistake.reason}`);
  const { value } = read;
  if (value === null || value === undefined) return {};
  if (!isTree(value)) throw invalid(file, "must hold settings by name, as in `storage: {path: /data}`");
  return value;
}

/** Expands `{"storage.path": x}` to `{storage: {path: x}}`; drops null values. */
export function expandKeys(tree: Tree): Tree {
  const expanded: Tree = {};
  for (const [key, value] of Object.entries(tree)) {
    if (value === null) continue;
    const segments = key.split(".");
    if (segments.includes("__proto__")) throw invalid(key, "is not a setting");
    if (isTree(value)) mergeInto(expanded, segments, expandKeys(value));
    else setOnce(expanded, segments, value);
  }
  return expanded;
}

function mergeInto(root: Tree, segments: readonly string[], branch: Tree): void {
  if (Object.keys(branch).length === 0) return;
  for (const [key, value] of Object.entries(branch)) {
    if (isTree(value)) mergeInto(root, [...segments, key], value);
    else setOnce(root, [...segments, key], value);
  }
}

function setOnce(root: Tree, segments: readonly string[], value: unknown): void {
  const path = segments.join(".");
  let node: unknown = root;
  for (const key of segments) node = isTree(node) && Object.hasOwn(node, key) ? node[key] : undefined;
  if (node !== undefined) throw invalid(path, "is given twice");
  setValue(root, segments, value);
}

/** Restores dropped null values whose key is not a setting, so that the schema check reports them. */
export function keepUnknown(schema: TSchema, tree: Tree, expanded: Tree): void {
  for (const segments of findEmpty(tree))
    if (!isSetting(schema, segments)) setValue(expanded, segments, null);
}

function findEmpty(tree: Tree): string[][] {
  return Object.entries(tree).flatMap(([key, value]) => {
    const segments = key.split(".");
    if (value === null || (isTree(value) && Object.keys(value).length === 0)) return [segments];
    return isTree(value) ? findEmpty(value).map((rest) => [...segments, ...rest]) : [];
  });
}

function isSetting(schema: TSchema, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined || !TypeGuard.IsObject(schema)) return true;
  if (!Object.hasOwn(schema.properties, key)) return schema.additionalProperties !== false;
  return isSetting(schema.properties[key]!, rest);
}

/** Sets a nested value, creating the objects on its path. */
export function setValue(root: Tree, segments: readonly string[], value: unknown): void {
  let node = root;
  for (const [index, key] of segments.slice(0, -1).entries()) {
    const next = Object.hasOwn(node, key) ? node[key] : undefined;
    if (next === undefined) node[key] = {};
    else if (!isTree(next))
      throw invalid(segments.slice(0, index + 1).join("."), "must hold settings by name");
    node = node[key] as Tree;
  }
  node[segments.at(-1)!] = value;
}

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
