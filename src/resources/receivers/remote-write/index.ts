// Receiver of Prometheus's remote write: samples are stored before the push is acknowledged.
import { invalid, TorusError } from "../../../core/errors.ts";
import { MetadataSet } from "../../../core/series/metric-metadata.ts";
import { WorkBudget } from "../../../runtime/work-budget.ts";
import { type PushDeps, storePush } from "../push.ts";
import { Tally } from "../tally.ts";
import {
  indexMessage,
  type RemoteWriteBudget,
  type RemoteWriteVersion,
  readMessage,
  remoteWriteCaps,
} from "./message.ts";

interface RemoteWriteInput {
  readonly bucket: string | undefined;
  /** The message, decompressed. */
  readonly body: Uint8Array<ArrayBuffer> | null | undefined;
  readonly version: RemoteWriteVersion;
  /** Ends the work; what was stored before stays. */
  readonly signal?: AbortSignal;
}

/** What was accepted of a message: stored, or left out on purpose, as exemplars are. */
export interface WrittenCounts {
  readonly samples: number;
  readonly exemplars: number;
}

export class RemoteWrite {
  constructor(private readonly deps: PushDeps) {}

  /**
   * Stores the samples of a message; a sample of the same series and time is replaced.
   * @throws TorusError `invalid` after the good samples were stored, for those that never can be; its details
   * `samples_written` and `exemplars_written` count what was accepted. `bucket_*`, `storage_full`, `overloaded`: the message may be sent again
   */
  async write({ bucket, body, version, signal }: RemoteWriteInput): Promise<WrittenCounts> {
    if (!body) throw invalid("body", "is required: a message of remote write, in snappy");
    const work: RemoteWriteBudget = new WorkBudget(remoteWriteCaps, signal && { signal });
    const metadata = new MetadataSet();
    const index = await indexMessage(body, { version, metadata, budget: work });
    const tally = new Tally();
    const ignored = { exemplars: 0 };
    const { stored } = await storePush(this.deps, {
      protocol: "remote_write",
      bucket,
      tally,
      metadata,
      work,
      readParts: (sizeNext) =>
        readMessage(body, { version, index, tally, metadata, ignored, budget: work }, sizeNext),
    });
    const { exemplars } = ignored;
    if (tally.reported === 0) return { samples: stored, exemplars };
    const text = `${tally.reported} samples refused, ${stored} stored: ${tally.messages.join("; ")}`;
    throw new TorusError("invalid", text, { samples_written: stored, exemplars_written: exemplars });
  }
}
