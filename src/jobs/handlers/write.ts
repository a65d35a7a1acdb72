// Job `write`: writes points to a bucket; its result is null, or the number of dropped points and the reason.
import { invalid } from "../../core/errors.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";

/** Makes the handler. It throws TorusError `invalid` for a read-only bucket, `bucket_*`, `canceled`. */
export function writeHandler({ openBucket }: HandlerDeps): Handler<"write"> {
  return async ({ input }, { signal }) => {
    const { measurement, points } = input;
    const bucket = await openBucket(input.bucket);
    if (!bucket.write) throw invalid("bucket", `bucket ${input.bucket} is read-only`);
    let dropped = 0;
    const onExpired = (count: number) => {
      dropped += count;
    };
    await bucket.write(points, { ...(measurement !== undefined && { measurement }), onExpired }, signal);
    return { result: dropped === 0 ? null : { dropped, reason: "older than the retention of the bucket" } };
  };
}
