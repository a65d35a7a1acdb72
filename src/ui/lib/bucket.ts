// Facts about buckets: address, models that use one, lateness, the range of a first look; pure.
import type { ModelView } from "../../api/model.ts";

const DAY = 86_400;
/** Range of a first look, days. */
const LOOK_DAYS = 30;
/** Most intervals of a first look, with room for those that are cut. */
const MAX_INTERVALS = 19_900;
/** Intervals after which the newest point is late. */
const LATE_INTERVALS = 3;
const places = ["addr", "url", "host", "path"];

/** Where the points are; empty: on the server itself. */
export function addressOf(settings: Readonly<Record<string, unknown>>): string {
  const key = places.find((place) => typeof settings[place] === "string");
  return key === undefined ? "" : String(settings[key]);
}

/** Models that read from a bucket. */
export function usersOf(bucket: string, models: readonly ModelView[]): readonly ModelView[] {
  return models.filter(({ settings }) => {
    const features = settings.features as readonly { readonly bucket?: string }[];
    return features.some((feature) => (feature.bucket || settings.default_bucket) === bucket);
  });
}

/** Whether the newest point is older than three intervals of the live model with the shortest one. */
export function isLate(newest: number, users: readonly ModelView[], now: number): boolean {
  const intervals = users.flatMap(({ live, state }) =>
    live && state.bucket_interval ? [state.bucket_interval] : [],
  );
  return intervals.length > 0 && now - newest > LATE_INTERVALS * Math.min(...intervals);
}

interface Extent {
  readonly first_timestamp?: number | null;
  readonly last_timestamp?: number | null;
}

/**
 * Thirty days up to now, or up to the last point where that is older; seconds.
 * @param interval of the look; shorter ones make the range shorter
 */
export function lookRange(
  { first_timestamp: first, last_timestamp: last }: Extent,
  now: number,
  interval = Infinity,
): { readonly from: number; readonly to?: number } {
  const end = last && last < now - DAY ? last + 1 : now;
  const from = Math.max(first ?? 0, end - Math.min(LOOK_DAYS * DAY, MAX_INTERVALS * interval));
  return end === now ? { from: Math.min(from, now - 60) } : { from: Math.min(from, end - 1), to: end };
}

/** Conditions on tags in an address: `host=a;core=1`. */
export function parseTags(text: string | undefined): { readonly tag: string; readonly value: string }[] {
  return (text ?? "").split(";").flatMap((pair) => {
    const at = pair.indexOf("=");
    return at > 0 ? [{ tag: decodeTag(pair.slice(0, at)), value: decodeTag(pair.slice(at + 1)) }] : [];
  });
}

export function formatTags(tags: readonly { readonly tag: string; readonly value: string }[]): string {
  return tags.map(({ tag, value }) => `${encodeTag(tag)}=${encodeTag(value)}`).join(";");
}

const encodeTag = (text: string) => text.replace(/[%=;]/g, encodeURIComponent);
const decodeTag = (text: string) => text.replace(/%(25|3D|3B)/g, decodeURIComponent);
