// Job `write`: puts points into a bucket.
import { invalid } from "../core/errors.ts";
import type { Handler, HandlerDeps } from "./handler.ts";

export function writeHandler({ openBucket }: HandlerDeps): Handler<"write"> {
  return async ({ input }, { signal }) => {
    const { measurement, points } = input;
    const bucket = await openBucket(input.bucket);
    if (!bucket.write) throw invalid("bucket", `bucket ${input.bucket} is read-only`);
    await bucket.write(points, measurement === undefined ? {} : { measurement }, signal);
    return { result: null };
  };
}
