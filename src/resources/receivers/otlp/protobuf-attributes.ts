// Attributes in protocol buffers: names and nested values, up to a depth and a length of texts.
import { invalid } from "../../../core/errors.ts";
import type { ProtobufReader } from "../../../core/formats/protobuf.ts";
import { type Attribute, attributeText, MAX_ATTRIBUTE_DEPTH } from "./metric.ts";

/** Bytes of a text that are read: longer ones are refused as names and values of tags. */
export const MAX_TEXT_BYTES = 8192;

/** @throws TorusError `invalid` for values nested too deep */
export function readAttribute(reader: ProtobufReader): Attribute {
  const [name, value] = readKeyValue(reader, 0);
  return [name, attributeText(value)];
}

function readKeyValue(reader: ProtobufReader, depth: number): [name: string, value: unknown] {
  let name = "";
  let value: unknown = "";
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) name = reader.text(MAX_TEXT_BYTES);
    else if (reader.field === 2) value = readValue(reader, depth);
    else reader.skip();
  reader.leave(mark);
  return [name, value];
}

function readValue(reader: ProtobufReader, depth: number): unknown {
  if (depth > MAX_ATTRIBUTE_DEPTH)
    throw invalid("body", `has an attribute nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  let value: unknown = "";
  const mark = reader.enter();
  while (reader.next()) {
    if (reader.field === 1) value = reader.text(MAX_TEXT_BYTES);
    else if (reader.field === 2) value = reader.unsigned() !== 0;
    else if (reader.field === 3) value = reader.signed();
    else if (reader.field === 4) value = reader.double();
    else if (reader.field === 5) value = readParts(reader, (inner) => readValue(inner, depth + 1));
    else if (reader.field === 6)
      value = Object.fromEntries(readParts(reader, (inner) => readKeyValue(inner, depth + 1)));
    else if (reader.field === 7) value = reader.bytes().subarray(0, MAX_TEXT_BYTES).toString("base64");
    else reader.skip();
  }
  reader.leave(mark);
  return value;
}

/** The messages of field 1 of a message. */
function readParts<T>(reader: ProtobufReader, read: (reader: ProtobufReader) => T): T[] {
  const parts: T[] = [];
  const mark = reader.enter();
  while (reader.next())
    if (reader.field === 1) parts.push(read(reader));
    else reader.skip();
  reader.leave(mark);
  return parts;
}
