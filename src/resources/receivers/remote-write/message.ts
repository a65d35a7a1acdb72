// Messages of Prometheus's remote write, 1.0 and 2.0: series by series, so that a large one takes little memory.
// Specification: https://prometheus.io/docs/specs/prw/remote_write_spec_2_0/
import type { PartSize } from "../../../buckets/line-protocol/index.ts";
import { invalid } from "../../../core/errors.ts";
import { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { LabelSet } from "../labels.ts";
import { PointGatherer } from "../samples.ts";
import type { Part } from "../store-parts.ts";
import type { Tally } from "../tally.ts";

export type RemoteWriteVersion = 1 | 2;

/** Series of one push, beyond which it is refused whole. */
export const MAX_SERIES = 50_000;
/** Bits of the NaN that marks the end of a series. */
const [STALE_HIGH, STALE_LOW] = [0x7ff00000, 2];

type Span = readonly [from: number, to: number];

interface Index {
  readonly series: readonly Span[];
  readonly symbols: readonly string[];
}

/** Field of native histograms in a series; those of labels and samples are the same in both versions. */
const HISTOGRAMS: Readonly<Record<RemoteWriteVersion, number>> = { 1: 4, 2: 3 };

/** Finds the series. @throws TorusError `invalid` where the message is damaged, or has too many series */
export function indexMessage(bytes: Uint8Array<ArrayBuffer>, version: RemoteWriteVersion): Index {
  const reader = new ProtobufReader(bytes);
  const series: Span[] = [];
  const symbols: string[] = [];
  while (reader.next()) {
    if (reader.field === (version === 1 ? 1 : 5)) series.push(reader.message());
    else if (version === 2 && reader.field === 4) symbols.push(reader.text());
    else reader.skip();
  }
  if (series.length > MAX_SERIES)
    throw invalid(
      "body",
      `has ${series.length} series, and at most ${MAX_SERIES} at a time: lower max_samples_per_send of queue_config`,
    );
  return { series, symbols };
}

/**
 * The points of a message, in parts.
 * @param index of the same message
 * @param tally counts what cannot be stored
 * @throws TorusError `invalid` where a series is damaged
 */
export function* readMessage(
  bytes: Uint8Array<ArrayBuffer>,
  { version, index, tally }: { version: RemoteWriteVersion; index: Index; tally: Tally },
  sizeNext: () => PartSize,
): Generator<Part> {
  const reader = new ProtobufReader(bytes);
  const gatherer = new PointGatherer(sizeNext, tally);
  for (const span of index.series) {
    reader.visit(span);
    readSeries(reader, { version, symbols: index.symbols, tally, gatherer });
    yield* gatherer.full();
  }
  yield* gatherer.rest();
}

interface SeriesContext {
  readonly version: RemoteWriteVersion;
  readonly symbols: readonly string[];
  readonly tally: Tally;
  readonly gatherer: PointGatherer;
}

function readSeries(reader: ProtobufReader, { version, symbols, tally, gatherer }: SeriesContext): void {
  const labels = new LabelSet();
  const references: number[] = [];
  const samples: { readonly at: number; readonly value: number }[] = [];
  let [histograms, stale] = [0, 0];
  while (reader.next()) {
    if (reader.field === 1 && version === 1) readLabel(reader, labels);
    else if (reader.field === 1) reader.packed("unsigned", (place) => references.push(place));
    else if (reader.field === 2) {
      const sample = readSample(reader);
      if (sample) samples.push(sample);
      else stale++;
    } else {
      if (reader.field === HISTOGRAMS[version]) histograms++;
      reader.skip();
    }
  }
  addReferences(labels, references, symbols);
  const name = labels.finish(samples.length + histograms, tally);
  tally.refuse("stale", stale);
  if (!name) return;
  const shown = name.metric.slice(0, 64);
  tally.refuse("kind", histograms, `${shown} is a native histogram: send it with classic buckets`);
  for (const { at, value } of samples) gatherer.add(name, at, value);
}

/** @returns undefined for the end of a series */
function readSample(reader: ProtobufReader): { readonly at: number; readonly value: number } | undefined {
  let [at, value, isStale] = [0, 0, false];
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) {
      value = reader.double();
      isStale = reader.highBits() === STALE_HIGH && reader.lowBits() === STALE_LOW;
    } else if (reader.field === 2) at = reader.signed();
    else reader.skip();
  }
  reader.leave(mark);
  return isStale ? undefined : { at, value };
}

function readLabel(reader: ProtobufReader, labels: LabelSet): void {
  let [name, value] = ["", ""];
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) name = reader.text();
    else if (reader.field === 2) value = reader.text();
    else reader.skip();
  }
  reader.leave(mark);
  labels.add(name, value);
}

/** @param references names and values in turn, as places in the table of symbols */
function addReferences(labels: LabelSet, references: readonly number[], symbols: readonly string[]): void {
  if (references.length % 2 === 1) throw invalid("body", "has a label without a value");
  for (let i = 0; i < references.length; i += 2) {
    const [name, value] = [symbols[references[i]!], symbols[references[i + 1]!]];
    if (name === undefined || value === undefined)
      throw invalid("body", "refers to a symbol that it does not have");
    labels.add(name, value);
  }
}
