// Index of an OTLP request in protocol buffers: its metrics are found and counted before any is decoded.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import {
  type Attribute,
  CUMULATIVE,
  KEPT_ATTRIBUTES,
  MAX_POINT_FIELDS,
  type MetricKind,
  type OtlpBudget,
  type Scope,
  type ScopeTag,
} from "./metric.ts";
import { MAX_TEXT_BYTES, readAttribute } from "./protobuf-attributes.ts";
import { findDiffering, toScope } from "./scope-tags.ts";

/** Bytes of a message. */
export type Span = readonly [from: number, to: number];

/** Kinds by their field in a metric. */
const kinds: ReadonlyMap<number, MetricKind> = new Map([
  [5, "gauge"],
  [7, "sum"],
  [9, "histogram"],
  [10, "exponential"],
  [11, "summary"],
]);

/** A metric, found and not yet decoded. */
export interface Place {
  /** Message of the resource, in parts. */
  readonly resource: readonly Span[];
  readonly metric: Span;
  readonly scope: Scope;
  readonly differing: readonly ScopeTag[];
  readonly kind: MetricKind;
  readonly isCumulative: boolean;
  readonly isMonotonic: boolean;
  readonly data: Span;
}

/**
 * Finds the metrics of a request, and takes what they hold from the budget.
 * @throws TorusError `invalid` where it is damaged or beyond a cap
 */
export async function indexProtobuf(
  bytes: Uint8Array<ArrayBuffer>,
  budget: OtlpBudget,
): Promise<readonly Place[]> {
  const reader = new ProtobufReader(bytes);
  const places: Place[] = [];
  for (const span of findSpans(reader, [0, bytes.length], { 1: "groups" }, budget)[1]!) {
    const { 1: resource = [], 2: scopes = [] } = findSpans(
      reader,
      span,
      { 1: "groups", 2: "groups" },
      budget,
    );
    const found: ScopeMetrics[] = [];
    for (const scope of scopes) {
      const {
        1: parts = [],
        2: metrics = [],
        3: urls = [],
      } = findSpans(reader, scope, { 1: "fields", 2: "groups", 3: "fields" }, budget);
      const [from, to] = urls.at(-1) ?? [0, 0];
      const schemaUrl = reader.binary(from, Math.min(to, from + MAX_TEXT_BYTES));
      found.push({ scope: readScope(reader, parts, { schemaUrl, budget }), metrics });
      if (budget.isDue) await budget.pace();
    }
    const differing = await findDifferingOf(reader, found, budget);
    for (const { scope, metrics } of found)
      for (const metric of metrics) {
        const own = { scope, differing: differing.get(metric) ?? [] };
        places.push({ resource, metric, ...own, ...findPoints(reader, metric, budget) });
        if (budget.isDue) await budget.pace();
      }
    if (budget.isDue) await budget.pace();
  }
  return places;
}

/** A scope, and the messages of its metrics. */
interface ScopeMetrics {
  readonly scope: Scope;
  readonly metrics: readonly Span[];
}

/** Parts of one message are merged. */
function readScope(
  reader: ProtobufReader,
  parts: readonly Span[],
  { schemaUrl, budget }: { readonly schemaUrl: string; readonly budget: OtlpBudget },
): Scope {
  const texts: [name: string, version: string] = ["", ""];
  const attributes: Attribute[] = [];
  reader.allow(MAX_POINT_FIELDS);
  for (const part of parts) {
    reader.visit(part);
    while (reader.next()) {
      if (reader.field === 3) budget.take("groups");
      if (reader.field <= texts.length) texts[reader.field - 1] = reader.text(MAX_TEXT_BYTES);
      else if (reader.field === 3 && attributes.length < KEPT_ATTRIBUTES)
        attributes.push(readAttribute(reader));
      else reader.skip();
    }
  }
  reader.allow(Infinity);
  return toScope(...texts, { schemaUrl, attributes });
}

/** Tags in which the scopes of metrics differ, by their messages. */
async function findDifferingOf(
  reader: ProtobufReader,
  found: readonly ScopeMetrics[],
  budget: OtlpBudget,
): Promise<ReadonlyMap<Span, readonly ScopeTag[]>> {
  const byMetric = new Map<Span, readonly ScopeTag[]>();
  if (found.length < 2) return byMetric;
  const named: { scope: Scope; metrics: string[] }[] = [];
  for (const { scope, metrics } of found) {
    const names: string[] = [];
    for (const metric of metrics) {
      names.push(readTexts(reader, metric)[0]);
      budget.spend();
      if (budget.isDue) await budget.pace();
    }
    named.push({ scope, metrics: names });
  }
  const differing = findDiffering(named);
  for (const [i, { metrics }] of named.entries())
    for (const [k, name] of metrics.entries()) {
      const tags = differing.get(name);
      if (tags) byMetric.set(found[i]!.metrics[k]!, tags);
    }
  return byMetric;
}

/** Places of the messages of some fields, by field. @param fields with the caps that they count for */
function findSpans(
  reader: ProtobufReader,
  span: Span,
  fields: Readonly<Record<number, "groups" | "points" | "fields">>,
  budget: OtlpBudget,
): Record<number, Span[]> {
  const found: Record<number, Span[]> = {};
  for (const field of Object.keys(fields)) found[Number(field)] = [];
  reader.visit(span);
  while (reader.next()) {
    const cap = fields[reader.field];
    budget.take(cap ?? "fields");
    if (cap) found[reader.field]!.push(reader.message());
    else reader.skip();
  }
  return found;
}

/** Counts the points of a metric. The temporality stands behind them. */
function findPoints(
  reader: ProtobufReader,
  metric: Span,
  budget: OtlpBudget,
): Pick<Place, "kind" | "data" | "isCumulative" | "isMonotonic"> {
  let kind: MetricKind = "unknown";
  let data: Span = [0, 0];
  reader.visit(metric);
  while (reader.next()) {
    budget.take("fields");
    const found = kinds.get(reader.field);
    if (found) [kind, data] = [found, reader.message()];
    else reader.skip();
  }
  let [temporality, monotonic] = [0, 0];
  reader.visit(data);
  while (reader.next()) {
    budget.take(reader.field === 1 ? "points" : "fields");
    if (reader.field === 2 && (kind === "sum" || kind === "histogram" || kind === "exponential"))
      temporality = reader.unsigned();
    else if (reader.field === 3 && kind === "sum") monotonic = reader.unsigned();
    else reader.skip();
  }
  return { kind, data, isCumulative: temporality === CUMULATIVE, isMonotonic: monotonic !== 0 };
}

/** The first fields of a metric: name, description and unit. */
export function readTexts(reader: ProtobufReader, message: Span): [string, string, string] {
  const texts: [string, string, string] = ["", "", ""];
  reader.visit(message);
  while (reader.next())
    if (reader.field <= texts.length) texts[reader.field - 1] = reader.text(MAX_TEXT_BYTES);
    else reader.skip();
  return texts;
}
