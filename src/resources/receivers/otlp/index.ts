// Receiver of OpenTelemetry metrics over OTLP: points are stored before the request is answered.
import type { Bucket } from "../../../buckets/kind.ts";
import { invalid } from "../../../core/errors.ts";
import { MetadataSet } from "../../../core/series/metric-metadata.ts";
import { type PushDeps, storePush } from "../push.ts";
import { SampleGatherer } from "../samples.ts";
import type { ReadParts, SamplePart } from "../store-parts.ts";
import { Tally } from "../tally.ts";
import { countJson, readJson } from "./json.ts";
import { createOtlpBudget, type OtlpBudget, type ResourceMetric } from "./metric.ts";
import { addMetric } from "./points.ts";
import { readProtobuf } from "./protobuf.ts";
import { indexProtobuf } from "./protobuf-index.ts";
import { IntervalHistograms } from "./quantiles.ts";
import { ScopedMetrics } from "./scopes.ts";

interface OtlpInput {
  readonly bucket: string | undefined;
  /** Message in protocol buffers, or parsed JSON. */
  readonly body: unknown;
  /** Attributes of resources that become tags, separated by commas; absent: those that identify a resource. */
  readonly resourceAttributes?: string | undefined;
  /** Ends the work; what was stored before stays. */
  readonly signal?: AbortSignal;
}

/** What was not stored of a request. */
export interface PartialSuccess {
  readonly rejected: number;
  /** Empty where everything was stored. */
  readonly message: string;
}

export class Otlp {
  readonly #histograms = new IntervalHistograms();
  readonly #scopes = new ScopedMetrics();

  constructor(private readonly deps: PushDeps) {}

  /**
   * Stores the points of a request; a point of the same series and time is replaced.
   * @throws TorusError `invalid` for a request that is damaged or beyond a cap; `bucket_*`, `storage_full`, `overloaded`: it may be sent again
   */
  async write({ bucket, body, resourceAttributes, signal }: OtlpInput): Promise<PartialSuccess> {
    if (body === null || body === undefined) throw invalid("body", "is required: metrics as OTLP has them");
    const tally = new Tally();
    const resourceNames =
      resourceAttributes === undefined ? undefined : new Set(resourceAttributes.split(","));
    const work = createOtlpBudget(signal);
    const read = await this.#prepare(body, work);
    const metadata = new MetadataSet();
    const kept = { histograms: this.#histograms, scopes: this.#scopes };
    const context = { bucket: bucket ?? "", metadata, ...kept, tally, resourceNames };
    const prepare = (opened: Bucket) => this.#scopes.load(context.bucket, opened, work.signal);
    const readParts: ReadParts<SamplePart> = function* (sizeNext) {
      const gatherer = new SampleGatherer(sizeNext, tally);
      for (const metric of read()) {
        addMetric(metric, { ...context, gatherer });
        yield* gatherer.full();
        work.spend(metric.metric.points.length + 1);
        // Points that are refused fill no part.
        if (work.isDue) yield undefined;
      }
      yield* gatherer.rest();
    };
    await storePush(this.deps, { protocol: "otlp", bucket, tally, metadata, prepare, readParts, work });
    return { rejected: tally.reported, message: tally.messages.join("; ") };
  }

  /** Counts what the request holds. @returns a function that reads it @throws TorusError `invalid` */
  async #prepare(body: unknown, work: OtlpBudget): Promise<() => Generator<ResourceMetric>> {
    if (body instanceof Uint8Array) {
      const bytes = body as Uint8Array<ArrayBuffer>;
      const places = await indexProtobuf(bytes, work);
      return () => readProtobuf(bytes, places, work);
    }
    await countJson(body, work);
    return () => readJson(body);
  }
}
