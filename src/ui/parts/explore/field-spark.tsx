// Sparkline of a field in a list: the last day of its points, read while the row is in view, one at a time.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { StoredDetectionView } from "../../../api/detection.ts";
import { firstLook, type LookRequest } from "../../state/buckets.ts";
import { Spark } from "../pictures/spark.tsx";
import { useAnswer } from "../use-answer.ts";

const POINTS = 120;
/** Answers that are kept while the page is open. */
const MAX_KEPT = 500;

const kept = new Map<string, StoredDetectionView>();
/** The read under way, after which the next one begins. */
let last: Promise<unknown> = Promise.resolve();

interface FieldSparkProps {
  readonly bucket: string;
  readonly request: LookRequest;
}

export function FieldSpark({ bucket, request }: FieldSparkProps) {
  const element = useRef<HTMLSpanElement>(null);
  const isInView = useSignal(false);
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => (isInView.value = entry!.isIntersecting));
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  const key = JSON.stringify([bucket, request.feature]);
  const { value } = useAnswer(isInView.value ? key : undefined, async (signal) => {
    const look = kept.get(key) ?? (await inTurn(signal, () => readSpark(bucket, request, signal)));
    if (kept.size < MAX_KEPT) kept.set(key, look);
    return look;
  });
  const data = value ?? kept.get(key);
  return (
    <span class="field-spark" ref={element}>
      {data && <Spark data={data} scaledBy={[data.min, data.max]} />}
    </span>
  );
}

const readSpark = (bucket: string, request: LookRequest, signal: AbortSignal) =>
  firstLook(bucket, { ...request, points: POINTS }, signal);

/** Works one after the other, so that data sources and first looks are not held up. @throws the reason of the signal */
function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const own = last.then(() => {
    signal.throwIfAborted();
    return work();
  });
  last = own.catch(() => undefined);
  return own;
}
