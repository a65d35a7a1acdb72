// Receiver of Prometheus's remote write: samples are stored before the push is acknowledged.
import { invalid, TorusError } from "../../core/errors.ts";
import { type PushDeps, storePush } from "./push.ts";
import { indexMessage, type RemoteWriteVersion, readMessage } from "./remote-write/message.ts";
import { Tally } from "./tally.ts";

export interface RemoteWriteInput {
  readonly bucket: string | undefined;
  /** The message, decompressed. */
  readonly body: Uint8Array<ArrayBuffer> | undefined;
  readonly version: RemoteWriteVersion;
}

export class RemoteWrite {
  constructor(private readonly deps: PushDeps) {}

  /**
   * Stores the samples of a message; a sample of the same series and time is replaced.
   * @returns number of samples stored
   * @throws TorusError `invalid` after the good samples were stored, for those that never can be; its detail
   * `samples_written` is their number. `bucket_*`, `storage_full`, `overloaded`: the message may be sent again
   */
  async write({ bucket, body, version }: RemoteWriteInput): Promise<number> {
    if (!body?.length) throw invalid("body", "is required: a message of remote write, in snappy");
    const index = indexMessage(body, version);
    const tally = new Tally();
    const { stored } = await storePush(this.deps, {
      protocol: "remote_write",
      bucket,
      tally,
      readParts: (sizeNext) => readMessage(body, { version, index, tally }, sizeNext),
    });
    if (tally.loud === 0) return stored;
    const text = `${tally.loud} samples refused, ${stored} stored: ${tally.messages.join("; ")}`;
    throw new TorusError("invalid", text, { samples_written: stored });
  }
}
