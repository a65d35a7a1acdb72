// Messages of Prometheus's remote write, 1.0 and 2.0: series by series, so that a large one takes little memory.
// Specification: https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/
import type { PartSize } from "../../../buckets/line-protocol/index.ts";
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { type MetadataSet, type MetricMetadata, metricTypes } from "../../../core/series/metric-metadata.ts";
import { type SeriesName, staleBits } from "../../../core/series/samples.ts";
import type { Caps, WorkBudget } from "../../../runtime/work-budget.ts";
import type { LabelSet } from "../labels.ts";
import { SampleGatherer } from "../samples.ts";
import type { SamplePart } from "../store-parts.ts";
import type { Tally } from "../tally.ts";
import {
  LABELS,
  type LabelPlaces,
  MAX_REFERENCES,
  MAX_SERIES_FIELDS,
  MAX_TEXT_BYTES,
  type RemoteWriteVersion,
  readSeriesName,
  type Span,
} from "./series-name.ts";

export type { RemoteWriteVersion } from "./series-name.ts";

const advice = "lower max_samples_per_send of queue_config";
/** What one push may hold; it is refused whole beyond series, symbols and fields. */
export const remoteWriteCaps = {
  series: { most: 50_000, verb: "has", noun: "series", advice },
  samples: { most: 500_000, verb: "has", noun: "samples", advice },
  symbols: { most: 200_000, verb: "has", noun: "symbols", advice },
  /** Metadata and the like. */
  fields: { most: 1_000_000, verb: "has", noun: "fields that are not of a series", advice },
} as const satisfies Caps<string>;

export type RemoteWriteBudget = WorkBudget<keyof typeof remoteWriteCaps>;

const MAX_SAMPLE_FIELDS = 100;

interface Index {
  readonly series: readonly Span[];
  readonly symbols: readonly string[];
}

/** Field of samples in a series. */
const SAMPLES = 2;
/** Field of native histograms in a series; those of labels and samples are the same in both versions. */
const HISTOGRAMS: Readonly<Record<RemoteWriteVersion, number>> = { 1: 4, 2: 3 };
/** Field of metadata: of messages of version 1, and of series of version 2. */
const METADATA: Readonly<Record<RemoteWriteVersion, number>> = { 1: 3, 2: 5 };
/** Field of exemplars in a series. */
const EXEMPLARS: Readonly<Record<RemoteWriteVersion, number>> = { 1: 3, 2: 4 };

/**
 * Finds the series, and takes the metadata of version 1, which stands beside them.
 * @throws TorusError `invalid` where the message is damaged, or beyond a cap
 */
export async function indexMessage(
  bytes: Uint8Array<ArrayBuffer>,
  { version, metadata, budget }: Pick<MessageContext, "version" | "metadata" | "budget">,
): Promise<Index> {
  const reader = new ProtobufReader(bytes);
  const series: Span[] = [];
  const symbols: string[] = [];
  while (reader.next()) {
    if (reader.field === (version === 1 ? 1 : 5)) {
      budget.take("series");
      series.push(reader.message());
    } else if (version === 2 && reader.field === 4) {
      budget.take("symbols");
      symbols.push(reader.text(MAX_TEXT_BYTES));
    } else {
      budget.take("fields");
      if (version === 1 && reader.field === METADATA[1]) readFamily(reader, metadata);
      else reader.skip();
    }
    if (budget.isDue) await budget.pace();
  }
  return { series, symbols };
}

interface MessageContext {
  readonly version: RemoteWriteVersion;
  /** Of the same message. */
  readonly index: Index;
  /** Counts what cannot be stored. */
  readonly tally: Tally;
  readonly metadata: MetadataSet;
  /** Counts what is left out of series that are stored. */
  readonly ignored: { exemplars: number };
  readonly budget: RemoteWriteBudget;
}

/**
 * The points of a message, in parts.
 * @throws TorusError `invalid` where a series is damaged, and at the sample beyond the cap
 */
export function* readMessage(
  bytes: Uint8Array<ArrayBuffer>,
  context: MessageContext,
  sizeNext: () => PartSize,
): Generator<SamplePart | undefined> {
  const reader = new ProtobufReader(bytes);
  const gatherer = new SampleGatherer(sizeNext, context.tally);
  const shared = { ...context, gatherer };
  for (const span of context.index.series) {
    const series = openSeries(reader, span, shared);
    // Each part makes its own way through the message.
    while (!addSamples(reader, series, shared)) {
      yield* gatherer.full();
      yield undefined;
    }
    closeSeries(series, shared);
    if (gatherer.isFull) yield* gatherer.full();
    context.budget.spend();
    if (context.budget.isDue) yield undefined;
  }
  yield* gatherer.rest();
}

type SeriesContext = MessageContext & { readonly gatherer: SampleGatherer };

/** A series whose samples are being read. */
interface OpenSeries {
  readonly parts: SeriesParts;
  readonly name: SeriesName | undefined;
  /** Absent of a series that was seen before. */
  readonly labels: LabelSet | undefined;
  /** Place of the next field. */
  at: number;
  readonly endAt: number;
  /** Points of a series that cannot be stored. */
  refused: number;
}

/** Reads the labels first, as they may stand behind the samples. */
function openSeries(reader: ProtobufReader, span: Span, context: SeriesContext): OpenSeries {
  const parts = readParts(reader, span, context);
  const { version, index } = context;
  const { name, labels } = readSeriesName(reader, span, { ...parts, version, symbols: index.symbols });
  const { described, histograms, exemplars } = parts;
  if (name && described) context.metadata.add({ ...described, name: familyOf(name.metric, described.type) });
  return { parts, name, labels, at: span[0], endAt: span[1], refused: histograms + exemplars };
}

const sample: Sample = { at: 0, value: 0, isStale: false };

/** A plain function, since loops of generators are slow. @returns whether all are added; if not, it is time for a pause */
function addSamples(
  reader: ProtobufReader,
  series: OpenSeries,
  { gatherer, budget }: SeriesContext,
): boolean {
  const { name } = series;
  reader.visit([series.at, series.endAt]);
  while (reader.next()) {
    if (reader.field !== SAMPLES) {
      reader.skip();
      continue;
    }
    reader.allow(MAX_SAMPLE_FIELDS);
    readSample(reader, sample);
    reader.allow(Infinity);
    if (!name) series.refused++;
    else if (sample.isStale) gatherer.add(name, sample.at);
    else gatherer.add(name, sample.at, sample.value);
    budget.spend();
    if (!budget.isDue) continue;
    series.at = reader.position;
    return false;
  }
  return true;
}

/** Counts what is left out. */
function closeSeries({ name, labels, parts, refused }: OpenSeries, { tally, ignored }: SeriesContext): void {
  if (!name) {
    labels?.refuse(refused, tally);
    return;
  }
  ignored.exemplars += parts.exemplars;
  tally.refuse(
    "kind",
    parts.histograms,
    `${name.metric.slice(0, 64)} is a native histogram: send it with classic buckets`,
  );
}

/** What a series has beside its samples. */
interface SeriesParts extends LabelPlaces {
  readonly histograms: number;
  readonly exemplars: number;
  readonly described: Description | undefined;
}

/** Counts the samples, which are taken from the budget, and all else. */
function readParts(
  reader: ProtobufReader,
  span: Span,
  { version, index, budget }: SeriesContext,
): SeriesParts {
  const references: number[] = [];
  let [histograms, exemplars] = [0, 0];
  let labelsEnd: number | undefined = span[0];
  let described: Description | undefined;
  reader.visit(span);
  reader.allow(MAX_SERIES_FIELDS);
  for (let at = span[0]; reader.next(); at = reader.position) {
    if (reader.field === LABELS && version === 1) {
      reader.message();
      labelsEnd = labelsEnd === at ? reader.position : undefined;
    } else if (reader.field === LABELS) reader.packed("unsigned", references, MAX_REFERENCES);
    else if (reader.field === METADATA[version] && version === 2)
      described = readDescription(reader, index.symbols);
    else {
      if (reader.field === SAMPLES) {
        budget.take("samples");
        reader.forgive();
      } else if (reader.field === HISTOGRAMS[version]) histograms++;
      else if (reader.field === EXEMPLARS[version]) exemplars++;
      reader.skip();
    }
  }
  reader.allow(Infinity);
  return { references, labelsEnd, histograms, exemplars, described };
}

type Description = Omit<MetricMetadata, "name">;

function readDescription(reader: ProtobufReader, symbols: readonly string[]): Description {
  let [type, help, unit] = [0, 0, 0];
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) type = reader.unsigned();
    else if (reader.field === 3) help = reader.unsigned();
    else if (reader.field === 4) unit = reader.unsigned();
    else reader.skip();
  }
  reader.leave(mark);
  return { type: typeOf(type), help: symbols[help] ?? "", unit: symbols[unit] ?? "" };
}

/** Metadata of a family of metrics, as version 1 has it. */
function readFamily(reader: ProtobufReader, metadata: MetadataSet): void {
  let [type, name, help, unit] = [0, "", "", ""];
  const mark = reader.enter();
  reader.allow(MAX_SAMPLE_FIELDS);
  while (reader.next()) {
    if (reader.field === 1) type = reader.unsigned();
    else if (reader.field === 2) name = reader.text(MAX_TEXT_BYTES);
    else if (reader.field === 4) help = reader.text(MAX_TEXT_BYTES);
    else if (reader.field === 5) unit = reader.text(MAX_TEXT_BYTES);
    else reader.skip();
  }
  reader.allow(Infinity);
  reader.leave(mark);
  metadata.add({ name, type: typeOf(type), help, unit });
}

function typeOf(number: number): string {
  return metricTypes[number] ?? metricTypes[0];
}

/** Series of version 2 have the metadata of their family each. */
function familyOf(metric: string, type: string): string {
  if (type === "histogram" || type === "gaugehistogram")
    return metric.replace(/_(bucket|g?sum|g?count)$/, "");
  return type === "summary" ? metric.replace(/_(sum|count)$/, "") : metric;
}

interface Sample {
  at: number;
  value: number;
  isStale: boolean;
}

/** @param sample is overwritten: an object for each would cost as much as its bytes */
function readSample(reader: ProtobufReader, sample: Sample): void {
  sample.at = 0;
  sample.value = 0;
  sample.isStale = false;
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) {
      sample.value = reader.double();
      sample.isStale = reader.highBits() === staleBits.high && reader.lowBits() === staleBits.low;
    } else if (reader.field === 2) sample.at = reader.signed();
    else reader.skip();
  }
  reader.leave(mark);
}
