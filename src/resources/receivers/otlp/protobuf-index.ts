// Index of an OTLP request in protocol buffers: its metrics are found and counted before any is decoded.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { CUMULATIVE, type MetricKind, type MetricScope, type OtlpBudget, sharedNames } from "./metric.ts";
import { MAX_TEXT_BYTES } from "./protobuf-attributes.ts";

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
  readonly scope: MetricScope;
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
    const found: Scope[] = [];
    for (const scope of scopes) {
      const { 1: parts = [], 2: metrics = [] } = findSpans(
        reader,
        scope,
        { 1: "fields", 2: "groups" },
        budget,
      );
      found.push({ name: parts.map((part) => readName(reader, part)).findLast(Boolean) ?? "", metrics });
      if (budget.isDue) await budget.pace();
    }
    const shared = await findShared(reader, found, budget);
    for (const { name, metrics } of found)
      for (const metric of metrics) {
        const scope = { name, isShared: shared.has(metric) };
        places.push({ resource, metric, scope, ...findPoints(reader, metric, budget) });
        if (budget.isDue) await budget.pace();
      }
    if (budget.isDue) await budget.pace();
  }
  return places;
}

/** A scope, and the messages of its metrics. */
interface Scope {
  readonly name: string;
  readonly metrics: readonly Span[];
}

/** Metrics whose names several scopes of a resource have. */
async function findShared(
  reader: ProtobufReader,
  scopes: readonly Scope[],
  budget: OtlpBudget,
): Promise<ReadonlySet<Span>> {
  const found = new Set<Span>();
  if (scopes.length < 2) return found;
  const named: [string, string[]][] = [];
  for (const { name, metrics } of scopes) {
    const names: string[] = [];
    for (const metric of metrics) {
      names.push(readName(reader, metric));
      budget.spend();
      if (budget.isDue) await budget.pace();
    }
    named.push([name, names]);
  }
  const shared = sharedNames(named);
  for (const [i, [, names]] of named.entries())
    for (const [k, name] of names.entries()) if (shared.has(name)) found.add(scopes[i]!.metrics[k]!);
  return found;
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

/** Name of a metric, or of a scope. */
function readName(reader: ProtobufReader, message: Span): string {
  return readTexts(reader, message)[0];
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
