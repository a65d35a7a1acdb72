// Buckets: settings, tests, content and first looks.
import type { BucketContentView, BucketTestView } from "../../api/bucket.ts";
import type { StoredDetectionView } from "../../api/detection.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

export type BucketSettings = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly type: string;
};

export const buckets = createResource((signal) => request<readonly BucketSettings[]>("/buckets", { signal }));

export type ExploredMeasurement = BucketContentView["measurements"][number];

/** What is looked at: as a feature of a model. */
export interface Source {
  readonly metric: string;
  readonly field: string;
  readonly measurement?: string;
  readonly match_all?: readonly { readonly tag: string; readonly value: string }[];
}

export const pathOfBucket = (name: string) => `/buckets/${encodeURIComponent(name)}`;

/** The settings, and the entity tag that a change of them needs. */
export async function readBucket(
  name: string,
  signal?: AbortSignal,
): Promise<{ readonly settings: BucketSettings; readonly etag: string }> {
  let etag = "";
  const [settings] = await request<readonly [BucketSettings]>(pathOfBucket(name), {
    ...(signal && { signal }),
    onTag: (tag) => (etag = tag),
  });
  return { settings, etag };
}

/** Characters of the name of a bucket that is made for a file. */
const MAX_NAME = 64;

/** Makes a local bucket of the name of a file, with a number where a bucket has it already. @returns its name */
export async function createLocalBucket(file: string): Promise<string> {
  const [stem = ""] = file.split(/\.[^.]*$/);
  const base = stem.replace(/[^\w@-]+/g, "_").slice(0, MAX_NAME) || "points";
  const known = await request<readonly BucketSettings[]>("/buckets");
  const isFree = (name: string) => known.every((bucket) => bucket.name !== name);
  let name = base;
  for (let number = 2; !isFree(name); number++) name = `${base}-${number}`;
  await request("/buckets", { method: "POST", body: { name, type: "local" } });
  return name;
}

export function testBucket(name: string, signal?: AbortSignal): Promise<BucketTestView> {
  return request(`${pathOfBucket(name)}/_test`, { method: "POST", ...(signal && { signal }) });
}

/** Measurements with fields and tags. @param query `measurement`, `field`, `search`, ... */
export function explore(
  name: string,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<BucketContentView> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return request(`${pathOfBucket(name)}/_explore?${new URLSearchParams(given)}`, { signal });
}

export interface LookRequest {
  readonly feature: Source;
  readonly from: number | string;
  readonly to?: number;
  /** A duration; absent: found. */
  readonly bucket_interval?: string;
  /** Cells of the answer. */
  readonly points?: number;
}

export function firstLook(
  name: string,
  body: LookRequest,
  signal: AbortSignal,
): Promise<StoredDetectionView> {
  return request(`${pathOfBucket(name)}/_detect`, { method: "POST", body, signal });
}
