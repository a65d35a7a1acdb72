// Names of series of remote write: labels decoded once, and found again by their bytes or texts in later messages.
import { invalid } from "../../../core/errors.ts";
import type { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { MAX_KEY, RecentCache } from "../../../core/recent-cache.ts";
import { MAX_TAGS } from "../../../core/series/names.ts";
import type { SeriesName } from "../../../core/series/samples.ts";
import { LabelSet } from "../labels.ts";

export type RemoteWriteVersion = 1 | 2;
export type Span = readonly [from: number, to: number];

/** Field of labels in a series. */
export const LABELS = 1;
/** Fields of a series that are not its samples, those of labels included. */
export const MAX_SERIES_FIELDS = 20_000;
/** Names and values of labels: one pair more than a series may have, which refuses it. */
export const MAX_REFERENCES = 2 * (MAX_TAGS + 1);
/** Bytes of a text that are read: longer ones are refused as names and values of labels. */
export const MAX_TEXT_BYTES = 8192;

/** Where the labels of a series are. */
export interface LabelPlaces {
  /** Labels of version 2, as places in the table of symbols. */
  readonly references: readonly number[];
  /** End of the labels of version 1, which begin the series; undefined where some stand behind other fields. */
  readonly labelsEnd: number | undefined;
}

interface NameContext extends LabelPlaces {
  readonly version: RemoteWriteVersion;
  readonly symbols: readonly string[];
}

/** Names of the last series: senders repeat them with every message. */
const recentNames = { 1: new RecentCache<SeriesName>(16_384), 2: new RecentCache<SeriesName>(16_384) };

/**
 * @returns without a name the labels that are no name; without labels the name was seen before
 * @throws TorusError `invalid` where a label is damaged
 */
export function readSeriesName(
  reader: ProtobufReader,
  span: Span,
  { version, symbols, references, labelsEnd }: NameContext,
): { readonly name: SeriesName | undefined; readonly labels?: LabelSet } {
  const key = version === 2 ? keyOf(references, symbols) : labelsEnd && reader.binary(span[0], labelsEnd);
  const known = key ? recentNames[version].get(key) : undefined;
  if (known) return { name: known };
  const labels = new LabelSet();
  if (version === 1) readLabels(reader, [span[0], labelsEnd ?? span[1]], labels);
  else addReferences(labels, [...references], symbols);
  const name = labels.name();
  if (name && key) recentNames[version].set(key, name);
  return { name, labels };
}

/**
 * The texts of labels, each with its length; undefined where they are too long to be kept: many series may refer to the
 * same long texts.
 */
export function keyOf(references: readonly number[], symbols: readonly string[]): string | undefined {
  let key = "";
  for (const place of references) {
    const text = symbols[place];
    if (text === undefined || key.length + text.length > MAX_KEY) return undefined;
    key += `${text.length}:${text}`;
  }
  return key;
}

function readLabels(reader: ProtobufReader, span: Span, labels: LabelSet): void {
  reader.visit(span);
  reader.allow(MAX_SERIES_FIELDS);
  while (reader.next())
    if (reader.field === LABELS) readLabel(reader, labels);
    else {
      reader.forgive();
      reader.skip();
    }
  reader.allow(Infinity);
}

function readLabel(reader: ProtobufReader, labels: LabelSet): void {
  let [name, value] = ["", ""];
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) name = reader.text(MAX_TEXT_BYTES);
    else if (reader.field === 2) value = reader.text(MAX_TEXT_BYTES);
    else reader.skip();
  }
  reader.leave(mark);
  labels.add(name, value);
}

/** @param references names and values in turn, as places in the table of symbols */
function addReferences(labels: LabelSet, references: number[], symbols: readonly string[]): void {
  // Beyond the most, the last one is the first of its pair.
  if (references.length > MAX_REFERENCES) references.pop();
  if (references.length % 2 === 1) throw invalid("body", "has a label without a value");
  for (let i = 0; i < references.length; i += 2) {
    const [name, value] = [symbols[references[i]!], symbols[references[i + 1]!]];
    if (name === undefined || value === undefined)
      throw invalid("body", "refers to a symbol that it does not have");
    labels.add(name, value);
  }
}
