// Search of a bucket for the series of a preset.
import { matchesGlob } from "../../core/input/name-pattern.ts";
import { pathOf } from "../client/client.ts";
import type { Exploration } from "../client/views.ts";
import type { Context } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import type { FoundSeries, PlanOptions } from "../presets/plan.ts";
import type { Preset, PresetModel } from "../presets/preset.ts";

/** Tag values per request: the longest page of the server. */
const PAGE_SIZE = 1000;

export interface Search {
  readonly found: readonly FoundSeries[];
  /** Whether hosts of the bucket are not wanted. */
  readonly leavesOut: boolean;
  /** Models of the preset that get nothing, each with the reason. */
  readonly missing: readonly string[];
}

/** @param wanted hosts, `*` matches any text; undefined: all */
export async function findSeries(
  context: Context,
  bucket: string,
  preset: Preset,
  wanted: readonly string[] | undefined,
): Promise<Search> {
  const isWanted = (host: string) => !wanted || wanted.some((pattern) => matches(pattern, host));
  const { models } = preset;
  const type = models.some(({ query }) => query) ? await readType(context, bucket) : undefined;
  const place = { bucket, type, preset, isWanted };
  const found: FoundSeries[] = [];
  const missing: string[] = [];
  let leavesOut = false;
  for (const row of models) {
    const { hosts = [], parts = [], ...search } = await searchModel(context, place, row);
    leavesOut ||= search.leavesOut === true;
    if (search.missing === undefined) found.push({ row, hosts, parts });
    else missing.push(`${row.name}: ${search.missing}`);
  }
  const ofAll = leavesOut ? models.filter(({ query }) => query) : [];
  for (const { name } of ofAll) missing.push(`${name}: its query reads all hosts`);
  return { found, leavesOut, missing };
}

interface Place {
  readonly bucket: string;
  /** Of the bucket, where it matters. */
  readonly type: string | undefined;
  readonly preset: Preset;
  readonly isWanted: (host: string) => boolean;
}

/** What a bucket holds of one model. */
interface ModelSearch extends Partial<Pick<FoundSeries, "hosts" | "parts">> {
  /** Whether hosts of the bucket are not wanted. */
  readonly leavesOut?: boolean;
  /** Why the model gets nothing. */
  readonly missing?: string;
}

async function searchModel(
  context: Context,
  { bucket, type, preset, isWanted }: Place,
  row: PresetModel,
): Promise<ModelSearch> {
  const { host_tag, bucket_type } = preset;
  if (row.query && type !== bucket_type)
    return { missing: `its query is for a bucket of type ${bucket_type}` };
  const explored = await explore(context, bucket, row);
  const measurement = explored.measurements.find(
    ({ name, fields }) => name === (row.measurement ?? null) && fields.some(({ name }) => name === row.field),
  );
  if (!measurement) return { missing: `no ${sourceOf(row)}` };
  if (row.query) return {};
  const list = async (tag: string) => {
    const [page] = (await explore(context, bucket, row, tag)).measurements;
    const values = (page ?? measurement).tags.find(({ name }) => name === tag)?.values;
    return values ?? measurement.tags.find(({ name }) => name === tag)?.values ?? [];
  };
  const all = await list(host_tag);
  const hosts = all.filter(isWanted);
  const leavesOut = hosts.length < all.length;
  if (hosts.length === 0) return { leavesOut, missing: `no ${sourceOf(row)} of the hosts` };
  const { per } = row;
  const parts = per ? (await list(per.tag)).filter((value) => !isSkipped(per, value)) : [];
  return { leavesOut, hosts, parts };
}

/** Field with its measurement, as in `cpu.usage_idle`. */
export function sourceOf({ measurement, field }: PresetModel): string {
  return [measurement, field].filter(Boolean).join(".");
}

function isSkipped({ skip = [] }: NonNullable<PresetModel["per"]>, value: string): boolean {
  return skip.some((pattern) => matches(pattern, value));
}

function matches(pattern: string, text: string): boolean {
  return matchesGlob([...pattern], [...text]);
}

async function readType({ client }: Context, bucket: string): Promise<string | undefined> {
  const [view] = await client.call<readonly { readonly type: string }[]>(
    `GET ${pathOf("buckets", [bucket])}`,
  );
  return view?.type;
}

interface PartsInput {
  readonly bucket: string;
  readonly preset: Preset;
  readonly found: readonly FoundSeries[];
  readonly isPerHost: PlanOptions["isPerHost"];
}

/** The series, with the mounts and devices of each host where hosts have models of their own. */
export function withParts(
  context: Context,
  { bucket, preset, found, isPerHost }: PartsInput,
): Promise<readonly FoundSeries[]> {
  const complete = async (each: FoundSeries): Promise<FoundSeries> => {
    const { row, parts } = each;
    if (!row.per || !parts.some((part) => isPerHost(row, part))) return each;
    return { ...each, hasPart: await readParts(context, bucket, row, [preset.host_tag, row.per.tag]) };
  };
  return Promise.all(found.map(complete));
}

/** Which hosts have which mounts or devices: those with points in the last week. */
async function readParts(
  { client }: Context,
  bucket: string,
  row: PresetModel,
  tags: readonly [string, string],
): Promise<(host: string, part: string) => boolean> {
  const features = `count(${sourceOf(row)})`;
  const query = { from: "now-7d", bucket_interval: "7d", features, group_by: tags.join(";") };
  const id = await client.call<string>(`POST ${pathOf("buckets", [bucket])}/_read`, { query });
  const { result } = await client.waitForJob(id);
  const { series } = result as { series: readonly { tags: Readonly<Record<string, string>> }[] };
  const pairs = new Set(series.map(({ tags: own }) => JSON.stringify(tags.map((tag) => own[tag]))));
  return (host, part) => pairs.has(JSON.stringify([host, part]));
}

/** Older servers ignore the filters and list everything. */
function explore(
  { client }: Context,
  bucket: string,
  { measurement, field }: PresetModel,
  tag?: string,
): Promise<Exploration> {
  const query = definedOnly<string | number>({
    measurement: measurement ?? undefined,
    field,
    tag,
    per_page: tag === undefined ? undefined : PAGE_SIZE,
  });
  return client.call<Exploration>(`GET ${pathOf("buckets", [bucket])}/_explore`, { query });
}
