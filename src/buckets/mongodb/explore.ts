// Probing and exploring MongoDB: version, fields and tags of the newest documents, first and last document.
import type { Collection } from "mongodb";
import type { Exploration, ExploreOptions, ProbeResult } from "../kind.ts";
import { exploreTable, type ValuePage } from "../shared/table.ts";
import type { Connection, Document } from "./connection.ts";
import { fromTime, readPath, requirePath, type TimeField } from "./document.ts";

/** Number of newest documents sampled for names. */
const SAMPLED_NAMES = 1000;
/** Number of documents sampled for values of tags. */
const SAMPLED_VALUES = 100_000;
/** Maximum nesting depth. */
const DEPTH = 3;

interface Source {
  readonly connection: Connection;
  readonly time: TimeField;
}

/** Reads the version and the newest document. */
export function probeServer(
  connection: Connection,
  time: TimeField,
  signal: AbortSignal,
): Promise<ProbeResult> {
  return connection.run(async (collection, client) => {
    const { version } = await client.db("admin").command({ buildInfo: 1 });
    const newestAt = await findEnd(collection, time, -1);
    return { ...(typeof version === "string" && { version: `MongoDB ${version}` }), newestAt };
  }, signal);
}

/** Lists numbers and booleans as fields, texts as tags; there are no measurements. */
export function exploreCollection(
  { connection, time }: Source,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const run = <T>(work: (collection: Collection<Document>) => Promise<T>) => connection.run(work, signal);
  const readColumns = async () => {
    const types = [...findTypes(await run((collection) => readNewest(collection, time)), time.name)];
    types.sort(([a], [b]) => (a < b ? -1 : 1));
    const fields = types.filter(([, type]) => type !== "string").map(([name, type]) => ({ name, type }));
    return { fields, texts: types.filter(([, type]) => type === "string").map(([name]) => name) };
  };
  const listNamed = async (tag: string, page: ValuePage) => {
    const name = requirePath(tag);
    return run((collection) => listValues(collection, { ...page, name, time }));
  };
  const readEnds = async () => ({
    firstAt: await run((collection) => findEnd(collection, time, 1)),
    lastAt: await run((collection) => findEnd(collection, time, -1)),
  });
  return exploreTable({ readColumns, listValues: listNamed, readEnds }, options);
}

function readNewest(collection: Collection<Document>, time: TimeField): Promise<Document[]> {
  const newest = collection.find(hasTime(time)).sort({ [time.name]: -1 });
  return newest.limit(SAMPLED_NAMES).toArray();
}

/** Matches documents with a valid time: others would sort first or last. */
function hasTime({ name, unit }: TimeField): Document {
  return { [name]: { $type: unit === "date" ? "date" : "number" } };
}

async function findEnd(
  collection: Collection<Document>,
  time: TimeField,
  order: 1 | -1,
): Promise<number | null> {
  const [found] = await collection
    .find(hasTime(time), { projection: { _id: 0, [time.name]: 1 } })
    .sort({ [time.name]: order })
    .limit(1)
    .toArray();
  return fromTime(readPath(found, time.name.split(".")), time.unit) ?? null;
}

/** Types of values by path: that of the newest document with a value. */
function findTypes(documents: readonly Document[], timeName: string): Map<string, string> {
  const types = new Map<string, string>();
  const enter = (value: unknown, path: string, depth: number): void => {
    if (/^(?:number|boolean|string)$/.test(typeof value)) {
      if (!types.has(path)) types.set(path, typeof value);
    } else if (isPlain(value) && depth < DEPTH) {
      for (const [name, inner] of Object.entries(value))
        if (isPath(name)) enter(inner, path ? `${path}.${name}` : name, depth + 1);
    }
  };
  for (const document of documents) enter(document, "", 0);
  for (const name of ["_id", timeName]) types.delete(name);
  return types;
}

/** True for a document; dates, ids and long decimals are objects of a kind of their own. */
function isPlain(value: unknown): value is Document {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Whether a name is allowed in a path; others cannot be read. */
function isPath(name: string): boolean {
  try {
    return !requirePath(name).includes(".");
  } catch {
    return false;
  }
}

interface NamedPage extends ValuePage {
  readonly name: string;
  readonly time: TimeField;
}

async function listValues(
  collection: Collection<Document>,
  { name, time, limit, skip = 0, search, isWhole = false }: NamedPage,
): Promise<string[]> {
  const isText = { [name]: { $type: "string" } };
  const matches = search && { [name]: { $regex: `^(?:${search.regex})$`, $options: "is" } };
  const found = await collection
    .aggregate([
      { $match: { $and: [hasTime(time), isText, ...(matches ? [matches] : [])] } },
      ...(isWhole ? [] : [{ $limit: SAMPLED_VALUES }]),
      { $group: { _id: `$${name}` } },
      { $sort: { _id: 1 } },
      ...(skip > 0 ? [{ $skip: skip }] : []),
      { $limit: limit },
    ])
    .toArray();
  return found.map(({ _id }) => String(_id));
}
