// Annotations in InfluxDB: a database of their own, with the fields other tools write.
import { ANNOTATIONS, type Annotation } from "../../core/anomaly/annotation.ts";
import { throwIfAborted } from "../../core/errors.ts";
import type { ClientOptions } from "../../net/fetch.ts";
import { formatLine } from "./line.ts";
import type { InfluxSettings } from "./settings.ts";
import { Store } from "./store.ts";

/** Creates a writer of annotations without connecting. */
export function createAnnotator(own: InfluxSettings, client: ClientOptions) {
  const store = new Store({
    client,
    database: own.annotation_db ?? "chronograf",
    measurement: ANNOTATIONS,
    createDatabase: own.create_database ?? true,
    retentionPolicy: undefined,
  });
  return async (annotation: Annotation, signal: AbortSignal): Promise<void> => {
    throwIfAborted(signal);
    await store.write(formatAnnotation(annotation), signal);
  };
}

/** Placed at its start, so that the end replaces it. */
function formatAnnotation({ startAt, endAt, modifiedAt, type, model, id, text }: Annotation): string {
  const ns = (at: number) => BigInt(Math.round(at)) * 1_000_000n;
  const end = endAt === undefined ? {} : { end_time: ns(endAt) };
  const fields = {
    id,
    text,
    deleted: false,
    start_time: ns(startAt),
    modified_time_ns: ns(modifiedAt),
    ...end,
  };
  return formatLine(ANNOTATIONS, { at: startAt, tags: { type, model }, fields })!;
}
