// Commands test-bucket and explore-bucket: connectivity and content of data sources.
import { pathOf } from "../client/client.ts";
import type { BucketTestResult, Exploration } from "../client/views.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { EXIT_FAILED } from "../command/exit-codes.ts";
import { definedOnly } from "../command/options.ts";
import { answerTable } from "../output/present.ts";
import { formatCount } from "../terminal/format.ts";
import { formatSpan } from "../terminal/progress.ts";
import { type Column, clean } from "../terminal/table.ts";

const name = { bucket: { description: "Bucket name" } } as const;

const testBucket = defineCommand({
  name: "test-bucket",
  group: "data",
  summary: "Test the connection to the data source of a bucket",
  arguments: name,
  examples: [
    ["torus test-bucket metrics", "its version and newest point; exit code 1 if it does not answer"],
  ],
  async run(context, { arguments: { bucket } }) {
    const tested = await context.client.call<BucketTestResult>(`POST ${pathOf("buckets", [bucket])}/_test`);
    if (tested.ok || context.globals.json)
      context.answer(tested, () => describeTested(context, bucket, tested));
    else context.terminal.writeError(`torus: ${clean(`${bucket}: ${tested.error ?? "does not answer"}`)}\n`);
    return tested.ok ? 0 : EXIT_FAILED;
  },
});

function describeTested(
  { times }: Context,
  bucket: string,
  { duration, version, series, newest_timestamp: newest }: BucketTestResult,
): string {
  const parts = [
    version,
    series !== undefined && `${formatCount(series)} series`,
    newest === null && "no points",
    typeof newest === "number" && `newest point ${times.format(newest)} ${times.zone}`,
  ];
  const found = parts.filter(Boolean).join(", ");
  return clean(`${bucket} answers after ${formatSpan(duration * 1000)}${found && `: ${found}`}`);
}

type Measurement = Exploration["measurements"][number];

/** One field or tag; the first row of a measurement carries its name and range. */
interface Row {
  readonly measurement: Measurement;
  readonly isFirst: boolean;
  readonly is: "field" | "tag" | "";
  readonly name: string;
  /** Type of a field, values of a tag. */
  readonly holds: string;
  /** Tags of this field, if they differ from those of the measurement. */
  readonly tags: string;
}

const exploreBucket = defineCommand({
  name: "explore-bucket",
  group: "data",
  summary: "List the measurements, fields and tags in a bucket",
  arguments: name,
  options: {
    search: {
      short: "s",
      value: "TEXT",
      description: "Only names that contain this text; with * and ? a pattern for whole names",
    },
    measurement: { short: "m", value: "NAME", description: "Only this one" },
    field: { value: "NAME", description: "Only this one" },
    tag: { short: "t", value: "NAME", description: "List the values of this tag" },
    page: { short: "p", value: "N", type: "integer", fallback: "0", description: "Page, from 0" },
    "per-page": {
      value: "N",
      type: "integer",
      fallback: "100",
      description: "Fields or values of a page, at most 1000",
    },
  },
  examples: [
    ["torus explore-bucket metrics", "fields with their types, tags with their values, first and last point"],
    ["torus explore-bucket metrics -m cpu -q", "only names of fields, in the syntax of features"],
    ["torus explore-bucket metrics -s memory", "fields with memory in their names, and their tags"],
    ["torus explore-bucket metrics -t instance -s web", "values of the tag instance that contain web"],
  ],
  async run(context, { arguments: { bucket }, options }) {
    const { "per-page": per_page, search, measurement, field, tag, page } = options;
    const explored = await context.client.call<Exploration>(`GET ${pathOf("buckets", [bucket])}/_explore`, {
      query: definedOnly({ search, measurement, field, tag, page, per_page }),
    });
    const isPage = [search, tag, page, per_page].some((value) => value !== undefined);
    if (context.globals.json) context.answer(explored);
    else if (tag !== undefined) showValues(context, explored);
    else showExplored(context, explored);
    if (explored.truncated && !context.globals.json) context.note(nextStep(isPage, page));
  },
});

/** Advice for a truncated list. */
function nextStep(isPage: boolean, page: number | undefined): string {
  if (isPage) return `the list is incomplete: --page ${(page ?? 0) + 1}`;
  return "the list is incomplete: -s TEXT searches, --page N pages, -t TAG lists the values of a tag";
}

function showValues(context: Context, { measurements }: Exploration): void {
  const values = measurements.flatMap(({ tags }) => tags.flatMap((tag) => tag.values));
  answerTable(context, values, {
    columns: [{ title: "VALUE", value: (value) => value }],
    name: (value) => value,
    empty: "no values of this tag",
  });
}

function showExplored(context: Context, { measurements }: Exploration): void {
  const { times } = context;
  const all = measurements.flatMap(toRows);
  const once = (value: (measurement: Measurement) => string) => (row: Row) =>
    row.isFirst ? value(row.measurement) : "";
  const columns: Column<Row>[] = [
    {
      title: "MEASUREMENT",
      value: once((measurement) => measurement.name ?? "-"),
      raw: (row) => row.measurement.name,
    },
    {
      title: `FIRST (${times.zone})`,
      value: once(({ first_timestamp: at }) => times.format(at)),
      raw: ({ measurement }) => times.iso(measurement.first_timestamp),
    },
    {
      title: `LAST (${times.zone})`,
      value: once(({ last_timestamp: at }) => times.format(at)),
      raw: ({ measurement }) => times.iso(measurement.last_timestamp),
    },
    { title: "IS", value: ({ is }) => is },
    { title: "NAME", value: (row) => row.name },
    { title: "TYPE OR VALUES", value: ({ holds }) => holds },
    ...(all.some(({ tags }) => tags !== "") ? [{ title: "TAGS", value: ({ tags }: Row) => tags }] : []),
  ];
  const fields = all.filter(({ is }) => is === "field");
  answerTable(context, context.globals.quiet ? fields : all, {
    columns,
    name: ({ measurement, name: field }) => nameField(measurement.name, field),
    empty: "nothing found",
  });
}

/** The argument of a feature. A field with a dot but no measurement gets a leading dot, which marks the empty name. */
function nameField(measurement: string | null, field: string): string {
  return measurement === null && !field.includes(".") ? field : `${measurement ?? ""}.${field}`;
}

function toRows(measurement: Measurement): Row[] {
  const found: Omit<Row, "measurement" | "isFirst">[] = [
    ...measurement.fields.map(({ name, type = "", tags = [] }) => ({
      ...{ is: "field" as const, name, holds: type },
      tags: tags.join(", "),
    })),
    ...measurement.tags.map(({ name, values }) => ({
      ...{ is: "tag" as const, name, holds: values.join(", "), tags: "" },
    })),
  ];
  // A named measurement without fields and tags is listed, too.
  if (found.length === 0 && measurement.name !== null) found.push({ is: "", name: "", holds: "", tags: "" });
  return found.map((row, i) => ({ ...row, measurement, isFirst: i === 0 }));
}

export const bucketProbeCommands = [testBucket, exploreBucket];
