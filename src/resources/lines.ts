// Writes of line protocol: points are stored before the request is answered.
import { type Bucket, PartialWriteError } from "../buckets/kind.ts";
import {
  joinRefusals,
  type LineOptions,
  type Precision,
  parseParts,
  precisions,
  type Refusals,
} from "../buckets/line-protocol/index.ts";
import { invalid, TorusError } from "../core/errors.ts";
import type { Clock } from "../runtime/clock.ts";
import { createYielder } from "../runtime/steps.ts";

/** Refusals of a bucket that the answer lists. */
const MAX_REFUSALS = 10;
/** Bounds of a batch, in values. */
const [MIN_VALUES, MAX_VALUES] = [250, 10_000];
const MAX_CHARACTERS = 512 * 1024;
/** Target duration of a batch: long enough to pay for its transaction. */
const BATCH_MS = 20;

interface LineDeps {
  /** Opens a bucket by name. @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
  readonly clock: Pick<Clock, "now">;
}

interface LineInput {
  readonly bucket: string;
  readonly text: string;
  /** Unit of the timestamps; default: ns. */
  readonly precision?: string | undefined;
}

export class Lines {
  constructor(private readonly deps: LineDeps) {}

  /**
   * Writes all valid lines; writing a line again changes nothing.
   * @throws TorusError `not_found`, `not_supported` (read-only), `bucket_*`, `storage_full`; `invalid`, after the valid
   * lines were written, for lines that are malformed, beyond the retention, or refused by the data source
   */
  async write({ bucket: name, text, precision = "ns" }: LineInput): Promise<void> {
    const options = { precision: checkPrecision(precision), nowAt: this.deps.clock.now() };
    const bucket = await this.deps.openBucket(name);
    if (!bucket.write)
      throw new TorusError("not_supported", `bucket ${name} is read-only: write to another one`);
    const { signal } = new AbortController();
    const pace = createYielder(signal);
    let refusals: Refusals = { errors: [], refused: 0 };
    let [isWritten, expired] = [false, 0];
    const partial: string[] = [];
    const onExpired = (count: number) => {
      expired += count;
    };
    const noteRefusal = (error: unknown) => {
      if (!isRefusal(error)) throw error;
      if (partial.length < MAX_REFUSALS) partial.push(error.message);
    };
    const sizer = createSizer();
    for (const part of parseParts(text, options, sizer.next)) {
      for (const [measurement, points] of part.points)
        await bucket.write(points, { measurement, onExpired }, signal).catch(noteRefusal);
      isWritten ||= part.points.size > 0;
      refusals = joinRefusals(refusals, part);
      sizer.note();
      await pace();
    }
    if (refusals.refused > 0 || expired > 0 || partial.length > 0)
      throw refuseLines(refusals, { isWritten, expired, partial });
  }
}

function checkPrecision(precision: string): LineOptions["precision"] {
  if (Object.hasOwn(precisions, precision)) return precision as Precision;
  throw invalid("precision", `must be one of ${Object.keys(precisions).join(", ")}`);
}

/** A permanent refusal of a measurement's points; other measurements are still written. */
function isRefusal(error: unknown): error is TorusError {
  return error instanceof PartialWriteError || (error instanceof TorusError && error.code === "invalid");
}

interface Outcome {
  readonly isWritten: boolean;
  /** Points beyond the retention of the bucket. */
  readonly expired: number;
  /** Messages of the bucket about refused points. */
  readonly partial: readonly string[];
}

/** Error in the wording of InfluxDB, which its clients parse. */
function refuseLines({ errors, refused }: Refusals, { isWritten, expired, partial }: Outcome): TorusError {
  const messages = errors.map(({ line, reason }) => `unable to parse '${line}': ${reason}`);
  if (refused > errors.length) messages.push(`and ${refused - errors.length} more`);
  messages.push(...partial);
  if (expired > 0) messages.push("points beyond retention policy");
  const text = messages.join("\n");
  return new TorusError("invalid", isWritten ? `partial write: ${text} dropped=${expired}` : text);
}

/** Adapts the batch size of a write to its speed: new series and fields cost much more than known ones. */
function createSizer() {
  let values = 1000;
  let startedAt = performance.now();
  return {
    /** Size of the batch that begins now. */
    next: () => {
      startedAt = performance.now();
      return { values, characters: MAX_CHARACTERS };
    },
    /** Adapts the size to the time the batch took. */
    note: () => {
      const ms = performance.now() - startedAt;
      if (ms > BATCH_MS) values = Math.max(MIN_VALUES, Math.floor(values / 2));
      else if (ms < BATCH_MS / 2) values = Math.min(MAX_VALUES, values * 2);
    },
  };
}
