// Writes of line protocol: points are stored before the request is answered.
import type { Bucket } from "../buckets/kind.ts";
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
import { type Stored, storeParts } from "./receivers/store-parts.ts";
import { type Received, Tally } from "./receivers/tally.ts";

interface LineDeps {
  /** Opens a bucket by name. @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
  readonly clock: Pick<Clock, "now">;
  /** Called at the end of each write. */
  readonly onReceived?: (received: Received) => void;
}

interface LineInput {
  readonly bucket: string;
  /** Pieces of whole lines; taken out as they are read. */
  readonly texts: string[];
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
  async write({ bucket: name, texts, precision = "ns" }: LineInput): Promise<void> {
    const options = { precision: checkPrecision(precision), nowAt: this.deps.clock.now() };
    const bucket = await this.deps.openBucket(name);
    if (!bucket.write)
      throw new TorusError("not_supported", `bucket ${name} is read-only: write to another one`);
    let refusals: Refusals = { errors: [], refused: 0 };
    const stored = await storeParts(bucket, (sizeNext) => parseParts(texts, options, sizeNext), {
      onPart: (part) => {
        refusals = joinRefusals(refusals, part);
      },
    });
    this.deps.onReceived?.(receivedOf(refusals, stored));
    if (refusals.refused > 0 || stored.expired > 0 || stored.rejected > 0)
      throw refuseLines(refusals, stored);
  }
}

function receivedOf({ refused: malformed }: Refusals, { stored, expired, rejected }: Stored): Received {
  const tally = new Tally();
  tally.refuse("malformed", malformed);
  tally.refuse("expired", expired);
  tally.refuse("rejected", rejected);
  return { protocol: "lines", stored, refused: tally.refused };
}

function checkPrecision(precision: string): LineOptions["precision"] {
  if (Object.hasOwn(precisions, precision)) return precision as Precision;
  throw invalid("precision", `must be one of ${Object.keys(precisions).join(", ")}`);
}

/** Error in the wording of InfluxDB, which its clients parse. */
function refuseLines(
  { errors, refused }: Refusals,
  { stored, expired, rejected, messages: partial }: Stored,
): TorusError {
  const messages = errors.map(({ line, reason }) => `unable to parse '${line}': ${reason}`);
  if (refused > errors.length) messages.push(`and ${refused - errors.length} more`);
  messages.push(...partial);
  if (expired > 0) messages.push("points beyond retention policy");
  const text = messages.join("\n");
  const isWritten = stored + expired + rejected > 0;
  return new TorusError("invalid", isWritten ? `partial write: ${text} dropped=${expired}` : text);
}
