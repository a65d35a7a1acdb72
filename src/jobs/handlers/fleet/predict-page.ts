// Predictions of a fleet: a page of its series in one job, one after the other; what has no data does not end the others.
import { TorusError } from "../../../core/errors.ts";
import { reportPart } from "../../../core/job.ts";
import type { SeriesTags } from "../../../core/model/fleet.ts";
import type { Store } from "../../../store/db/open.ts";
import { countSeriesFits, listSeriesFits } from "../../../store/fleets/version-series.ts";
import type { HandlerContext } from "../../queue/handler.ts";
import type { SeriesPage } from "../../queue/input.ts";

interface PageInput {
  readonly model: string;
  /** Name of the version. */
  readonly version: string;
  readonly series?: SeriesTags;
  readonly page?: SeriesPage;
}

interface SeriesProblem {
  readonly tags: SeriesTags;
  readonly code: string;
  readonly error: string;
}

interface FleetPage<View extends object> {
  readonly series: readonly (({ readonly tags: SeriesTags } & View) | SeriesProblem)[];
  readonly page: number;
  readonly per_page: number;
  /** Series on all pages. */
  readonly total: number;
  readonly timestamps: readonly never[];
  readonly observed: object;
  readonly predicted: object;
}

/** Command lines of Loud ML read one series from any prediction. */
const noSeries = { timestamps: [], observed: {}, predicted: {} } as const;

/** Problems of one series; others concern the whole job. */
const ownProblems: readonly string[] = ["no_data", "too_little_data"];

/**
 * Predicts what a job asks for: one series, or a page of those of a fleet.
 * @param predict answers for one series, or for a model of one
 * @throws TorusError what `predict` throws; of a page without `no_data` and `too_little_data`, which its entries show
 */
export async function predictPage<Input extends PageInput, View extends object>(
  store: Store,
  { input, context }: { readonly input: Input; readonly context: HandlerContext },
  predict: (input: Omit<Input, "page">, context: HandlerContext) => Promise<View>,
): Promise<View | FleetPage<View>> {
  const { page, ...alone } = input;
  if (!page) return predict(alone, context);
  const { number, size } = page;
  const fits = await listSeriesFits(store, input, { page: { offset: number * size, limit: size } });
  const series: FleetPage<View>["series"][number][] = [];
  for (const [done, { tags }] of fits.entries()) {
    const part = { from: done / fits.length, to: (done + 1) / fits.length };
    const onProgress = reportPart(context.onProgress, part);
    try {
      const view = await predict({ ...alone, series: tags }, { ...context, onProgress });
      series.push({ tags, ...view });
    } catch (error) {
      if (!(error instanceof TorusError) || !ownProblems.includes(error.code)) throw error;
      series.push({ tags, code: error.code, error: error.message });
    }
    context.onProgress({ fraction: (done + 1) / fits.length });
  }
  return { series, page: number, per_page: size, total: await countSeriesFits(store, input), ...noSeries };
}
