// Measurements and fields of a bucket for a list; of a very long one those that match the search of the address.
import type { BucketContentView } from "../../../api/bucket.ts";
import { explore } from "../../state/buckets.ts";
import { route } from "../../state/route.ts";
import { useAnswer } from "../use-answer.ts";

/** Fields that are listed, and searched in the page; of more, those that match the longest word. */
const MAX_FIELDS = 1000;

/** Fields of a bucket, and those of the chosen measurement, which a long list may leave out. */
async function exploreAround(
  bucket: string,
  { measurement, search }: { readonly measurement: string | undefined; readonly search: string | undefined },
  signal: AbortSignal,
): Promise<BucketContentView> {
  const per_page = String(MAX_FIELDS);
  const content = await explore(bucket, { search, per_page }, signal);
  if (!measurement || content.measurements.some(({ name }) => name === measurement)) return content;
  const { measurements } = await explore(bucket, { measurement, per_page }, signal);
  return { ...content, measurements: [...measurements, ...content.measurements] };
}

function countFields(content: BucketContentView | undefined): number {
  return content?.measurements.reduce((sum, { fields }) => sum + fields.length, 0) ?? 0;
}

/** @param bucket undefined: none is read */
export function useContent(bucket: string | undefined) {
  const { measurement, search } = route.value.params;
  const read = (word: string | undefined) => (signal: AbortSignal) =>
    exploreAround(bucket!, { measurement, search: word }, signal);
  const whole = useAnswer(bucket, read(undefined));
  const word = (search ?? "").split(/\s+/).sort((a, b) => b.length - a.length)[0];
  const isLong = bucket && word && countFields(whole.value) >= MAX_FIELDS;
  const found = useAnswer(isLong ? JSON.stringify([bucket, word]) : undefined, read(word));
  return { whole, content: found.value ? found : whole };
}
