// Decoder of OTLP metrics in protocol buffers: some points at a time, as a metric may be large.
// Messages: https://github.com/open-telemetry/opentelemetry-proto, metrics/v1 and common/v1
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import {
  type Attribute,
  CHUNK_FIELDS,
  CHUNK_POINTS,
  type DataPoint,
  MAX_POINT_FIELDS,
  MAX_RESOURCE_ATTRIBUTES,
  type Metric,
  type MetricKind,
  type OtlpBudget,
  type ResourceMetric,
} from "./metric.ts";
import { readAttribute } from "./protobuf-attributes.ts";
import { type Place, readTexts, type Span } from "./protobuf-index.ts";
import { readPoint } from "./protobuf-point.ts";

/** The metrics of a request, some points at a time. @throws TorusError `invalid` where it is damaged */
export function* readProtobuf(
  bytes: Uint8Array<ArrayBuffer>,
  places: readonly Place[],
  budget: Pick<OtlpBudget, "spend">,
): Generator<ResourceMetric> {
  const reader = new ProtobufReader(bytes);
  let [known, resource]: [readonly Span[] | undefined, readonly Attribute[]] = [undefined, []];
  for (const place of places) {
    if (place.resource !== known) resource = readResource(reader, place.resource);
    known = place.resource;
    const { scope, differing } = place;
    for (const metric of readMetric(reader, place, budget)) yield { resource, scope, differing, metric };
  }
}

function readResource(reader: ProtobufReader, parts: readonly Span[]): Attribute[] {
  const attributes: Attribute[] = [];
  reader.allow(MAX_POINT_FIELDS);
  for (const part of parts) {
    reader.visit(part);
    while (reader.next())
      if (reader.field === 1 && attributes.length < MAX_RESOURCE_ATTRIBUTES)
        attributes.push(readAttribute(reader));
      else reader.skip();
  }
  reader.allow(Infinity);
  return attributes;
}

/** A metric in chunks of its points; one without points as well. */
function* readMetric(
  reader: ProtobufReader,
  { metric, kind, isCumulative, isMonotonic, data }: Place,
  budget: Pick<OtlpBudget, "spend">,
): Generator<Metric> {
  const [name, description, unit] = readTexts(reader, metric);
  const own = { name, kind, isCumulative, isMonotonic, description, unit };
  reader.visit(data);
  for (;;) {
    const { points, fields, isLast } = readChunk(reader, kind);
    if (!isLast) budget.spend(fields);
    yield { ...own, points };
    if (isLast) return;
  }
}

/** A plain function, since loops of generators are slow. */
function readChunk(
  reader: ProtobufReader,
  kind: MetricKind,
): { points: readonly DataPoint[]; fields: number; isLast: boolean } {
  const points: DataPoint[] = [];
  let fields = 0;
  while (reader.next()) {
    if (reader.field !== 1) {
      reader.skip();
      continue;
    }
    reader.allow(MAX_POINT_FIELDS);
    const point = readPoint(reader, kind);
    points.push(point);
    fields += MAX_POINT_FIELDS - reader.allow(Infinity) + point.bounds.length + point.counts.length;
    if (points.length >= CHUNK_POINTS || fields >= CHUNK_FIELDS) return { points, fields, isLast: false };
  }
  return { points, fields, isLast: true };
}
