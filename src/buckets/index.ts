// Registry of bucket kinds; checks, views and merges settings of buckets without I/O.
import { type TObject, Type } from "@sinclair/typebox";
import { assertSecretsStay } from "../core/access/moved-secrets.ts";
import { redact } from "../core/access/redact.ts";
import { invalid } from "../core/errors.ts";
import type { Snapshot } from "../core/formats/snapshot.ts";
import { coerceStrings } from "../core/input/coerce.ts";
import { isRecord } from "../core/input/json.ts";
import { Name } from "../core/input/name.ts";
import { dropNulls, findErrors, invalidFields, MAX_ERRORS } from "../core/input/schema.ts";
import { suggestClosest } from "../core/input/suggest.ts";
import type { BucketSettings } from "../core/model/bucket-settings.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { checkMetric } from "../metrics/index.ts";
import { clickhouse } from "./clickhouse/index.ts";
import { csv } from "./csv/index.ts";
import { elasticsearch } from "./elasticsearch/index.ts";
import { elasticsearchAws } from "./elasticsearch_aws/index.ts";
import { influxdb } from "./influxdb/index.ts";
import type { Bucket, BucketKind, OpenContext, PushSink, Subscription } from "./kind.ts";
import { local } from "./local/index.ts";
import { mongodb } from "./mongodb/index.ts";
import { mqtt } from "./mqtt/index.ts";
import { opentsdb } from "./opentsdb/index.ts";
import { postgres } from "./postgres/index.ts";
import { prometheus } from "./prometheus/index.ts";
import { baseSettings } from "./shared/base.ts";
import { warp10 } from "./warp10/index.ts";

export const bucketKinds = {
  local,
  influxdb,
  prometheus,
  postgres,
  csv,
  elasticsearch,
  elasticsearch_aws: elasticsearchAws,
  clickhouse,
  opentsdb,
  warp10,
  mongodb,
  mqtt,
} satisfies Record<string, BucketKind>;

const kinds: ReadonlyMap<string, BucketKind> = new Map(Object.entries(bucketKinds) as [string, BucketKind][]);

/** Full schema per kind: name and type, shared settings, the kind's own. */
export const bucketSchemas: ReadonlyMap<string, TObject> = new Map(
  [...kinds].map(([type, { settings, description }]) => [
    type,
    Type.Object(
      { name: Name, type: Type.Literal(type), ...baseSettings.properties, ...settings.properties },
      { additionalProperties: false, title: "bucket", description },
    ),
  ]),
);

const Named = Type.Object({ name: Name });

/** The kind of a bucket whose settings were checked. */
export function kindOf({ type }: Pick<BucketSettings, "type">): BucketKind {
  return kinds.get(type)!;
}

/**
 * Checks the settings a client sent against the schema and the rules of the kind.
 * @throws TorusError `invalid` with the path and the rule, never the value
 */
export function checkBucket(body: unknown): BucketSettings {
  if (!isRecord(body)) throw invalid("body", "must be a JSON object with name and type");
  const wrong = findErrors(Named, body);
  const schema = typeof body.type === "string" ? bucketSchemas.get(body.type) : undefined;
  if (!schema) throw invalidFields([...wrong, { path: "type", message: typeRule(body.type) }]);
  const settings = coerceStrings(schema, dropNulls(schema, body)) as BucketSettings;
  const errors = [...wrong, ...findErrors(schema, settings).filter(({ path }) => path !== "name")];
  if (errors.length > 0) throw invalidFields(errors.slice(0, MAX_ERRORS));
  kinds.get(settings.type)?.check?.(settings);
  return settings;
}

function typeRule(type: unknown): string {
  const list = [...kinds.keys()];
  const near = typeof type === "string" ? suggestClosest(type, list) : undefined;
  return `must be one of ${list.join(", ")}${near ? `; did you mean ${near}?` : ""}`;
}

/** Settings without secrets: neither secret keys nor credentials in addresses. */
export function viewBucket(settings: BucketSettings): Record<string, unknown> {
  return redact(settings, kinds.get(settings.type)?.secrets) as Record<string, unknown>;
}

/**
 * Applies a PATCH: absent keys keep their values (secrets too), null removes an optional key, and a value equal to that
 * of `viewBucket` changes nothing, so that a client may send a view back.
 * @throws TorusError `invalid` where the result breaks a rule, name or type would change, or a stored secret would be
 * sent to a new destination
 */
export function mergeBucket(old: BucketSettings, patch: unknown): BucketSettings {
  if (!isRecord(patch)) throw invalid("body", "must be a JSON object: the settings to change");
  for (const key of ["name", "type"] as const) {
    if (patch[key] !== undefined && patch[key] !== old[key])
      throw invalid(key, "cannot be changed; create another bucket instead");
  }
  const merged = new Map<string, unknown>(Object.entries(old));
  const view = viewBucket(old);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) merged.delete(key);
    else if (!Object.hasOwn(view, key) || !Bun.deepEquals(value, view[key])) merged.set(key, value);
  }
  const next = checkBucket(Object.fromEntries(merged));
  const { destination, settings: schema } = kindOf(old);
  assertSecretsStay(
    { old, shown: view, sent: patch, next, nextShown: viewBucket(next) },
    { destination, schema },
  );
  return next;
}

/** Checks the query of a feature, or its metric where it has no query. @throws TorusError `invalid` below `path` */
export function checkSource(
  settings: BucketSettings,
  { metric, query }: { readonly metric?: string | undefined; readonly query?: string | null | undefined },
  path: string,
): void {
  if (query) checkBucketQuery(settings, query, `${path}.query`);
  else if (metric !== undefined) checkMetric(metric, `${path}.metric`);
}

/** Opens a bucket without I/O to other hosts. */
export function openBucket(settings: BucketSettings, context: OpenContext): Bucket {
  const { name, type: _, ...own } = settings;
  const bucket = kindOf(settings).open(name, own, context);
  const { readGrouped } = bucket;
  const check = ({ features }: ReadQuery) => {
    for (const { query } of features) if (query !== undefined) checkBucketQuery(settings, query, "query");
  };
  return {
    ...bucket,
    read: async (query, signal) => {
      check(query);
      return bucket.read(query, signal);
    },
    ...(readGrouped && {
      readGrouped: async (query, signal) => {
        check(query);
        return readGrouped.call(bucket, query, signal);
      },
    }),
  };
}

/** Checks the query of a feature against the bucket's kind. @throws TorusError `invalid` */
export function checkBucketQuery(settings: BucketSettings, query: string, path: string): void {
  const kind = kindOf(settings);
  if (kind.queryLanguage === undefined)
    throw invalid(
      path,
      `a bucket of kind ${settings.type} does not support feature queries; give metric and field`,
    );
  kind.checkQuery?.(query, path);
}

/** Whether the points of a bucket are in files of this server. */
export function isStoredHere(settings: BucketSettings): boolean {
  return kindOf(settings).takeSnapshot !== undefined;
}

/** Receives what the source of a bucket pushes; undefined where its kind does not. */
export function subscribeBucket(settings: BucketSettings, sink: PushSink): Subscription | undefined {
  const { name, type: _, ...own } = settings;
  return kindOf(settings).subscribe?.(name, own, sink);
}

/** Takes a snapshot of the bucket's files for a backup; undefined where it has none. */
export function takeBucketSnapshot(settings: BucketSettings, context: OpenContext): Snapshot | undefined {
  return kindOf(settings).takeSnapshot?.(settings.name, context);
}

/** Kinds whose points are in files of the data directory, and so of one server. */
export const kindsWithFiles: readonly string[] = [...kinds.values()].flatMap(({ kind, destroy }) =>
  destroy ? [kind] : [],
);

/** Removes the files of a closed bucket from the data directory. */
export function destroyBucket(settings: BucketSettings, context: OpenContext): void {
  kindOf(settings).destroy?.(settings.name, context);
}
