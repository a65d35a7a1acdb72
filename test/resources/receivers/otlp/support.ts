// Metrics of OTLP requests, decoded as the receiver does.
import { countJson, readJson } from "../../../../src/resources/receivers/otlp/json.ts";
import { createOtlpBudget, type ResourceMetric } from "../../../../src/resources/receivers/otlp/metric.ts";
import { readProtobuf } from "../../../../src/resources/receivers/otlp/protobuf.ts";
import { indexProtobuf } from "../../../../src/resources/receivers/otlp/protobuf-index.ts";
import { type Encoding, encodeOtlp } from "../../../support/otlp.ts";

export async function readOtlp(encoding: Encoding, request: object): Promise<ResourceMetric[]> {
  const bytes = encodeOtlp(encoding, request);
  return encoding === "protobuf" ? readBytes(bytes) : readObject(JSON.parse(Buffer.from(bytes).toString()));
}

export async function readBytes(bytes: Uint8Array<ArrayBuffer>): Promise<ResourceMetric[]> {
  const budget = createOtlpBudget();
  return [...readProtobuf(bytes, await indexProtobuf(bytes, budget), budget)];
}

async function readObject(body: unknown): Promise<ResourceMetric[]> {
  await countJson(body, createOtlpBudget());
  return [...readJson(body)];
}
