// Buckets: settings, tests, content and first looks.
import type { StoredDetectionView } from "../../api/detection.ts";
import { createResource } from "./resource.ts";
import { request } from "./session.ts";

export type BucketSettings = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly type: string;
};

export const buckets = createResource((signal) => request<readonly BucketSettings[]>("/buckets", { signal }));

export interface BucketTest {
  readonly ok: boolean;
  /** Seconds. */
  readonly duration: number;
  readonly version?: string;
  readonly series?: number;
  /** Seconds since the epoch; null: there are no points. */
  readonly newest_timestamp?: number | null;
  readonly code?: string;
  readonly error?: string;
}

export interface ExploredMeasurement {
  readonly name: string | null;
  readonly fields: readonly { readonly name: string; readonly type?: string }[];
  readonly tags: readonly { readonly name: string; readonly values: readonly string[] }[];
  readonly first_timestamp?: number | null;
  readonly last_timestamp?: number | null;
}

export interface Content {
  readonly measurements: readonly ExploredMeasurement[];
  readonly truncated: boolean;
}

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

export function testBucket(name: string, signal?: AbortSignal): Promise<BucketTest> {
  return request(`${pathOfBucket(name)}/_test`, { method: "POST", ...(signal && { signal }) });
}

/** Measurements with fields and tags. @param query `measurement`, `field`, `search`, ... */
export function explore(
  name: string,
  query: Readonly<Record<string, string | undefined>>,
  signal: AbortSignal,
): Promise<Content> {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return request(`${pathOfBucket(name)}/_explore?${new URLSearchParams(given)}`, { signal });
}

export interface LookRequest {
  readonly feature: Source;
  readonly from: number | string;
  readonly to?: number;
  /** A duration; absent: found. */
  readonly bucket_interval?: string;
}

export function firstLook(
  name: string,
  body: LookRequest,
  signal: AbortSignal,
): Promise<StoredDetectionView> {
  return request(`${pathOfBucket(name)}/_detect`, { method: "POST", body, signal });
}
