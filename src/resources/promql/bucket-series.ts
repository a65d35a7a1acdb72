// Series of the buckets that this server stores, for PromQL: one per field of a series of points, with the label `bucket`.
import { isStoredHere } from "../../buckets/index.ts";
import type { Bucket } from "../../buckets/kind.ts";
import { type BucketRow, listBuckets } from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import { admits, fieldQueryOf, labelsOf, metricName } from "./names.ts";
import type { SeriesPage, SeriesSource, VisitRequest } from "./source.ts";

export interface BucketSeriesDeps {
  readonly store: Store;
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
}

const ownLabels: ReadonlySet<string> = new Set(["bucket"]);

export class BucketSeries implements SeriesSource {
  constructor(private readonly deps: BucketSeriesDeps) {}

  async visit(
    { matchers, signal }: VisitRequest,
    onPage: (page: SeriesPage) => Promise<void>,
  ): Promise<void> {
    const query = fieldQueryOf(matchers, ownLabels);
    for (const { name } of await this.#listBuckets()) {
      if (!admits(matchers, "bucket", name)) continue;
      const bucket = await this.deps.openBucket(name);
      await bucket.visitFields?.(
        query,
        ({ fields, read }) =>
          onPage({
            series: fields.map(({ measurement, field, tags, hasPoints }) => ({
              labels: labelsOf(metricName(measurement, field), { bucket: name }, tags),
              hasSamples: hasPoints,
            })),
            read: (places, range, budget) =>
              read(places, range, (points, isFirst) => {
                if (isFirst) budget.take("series");
                budget.take("samples", points);
              }),
          }),
        signal,
      );
    }
  }

  async #listBuckets(): Promise<readonly BucketRow[]> {
    const rows = await listBuckets(this.deps.store);
    return rows.filter(({ settings }) => isStoredHere(settings));
  }
}
