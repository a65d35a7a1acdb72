// Folded values of one model, as the server answers them.
import type { ModelSeriesView } from "../../../api/series.ts";
import { request } from "../session.ts";

/** @param query range, cells and parts, as in `from=0&points=120&parts=observed`. @throws Problem */
export async function readFolded(name: string, query: string, signal: AbortSignal): Promise<ModelSeriesView> {
  const path = `/models/${encodeURIComponent(name)}/_series?${query}`;
  return (await request<Readonly<Record<string, ModelSeriesView>>>(path, { signal }))[name]!;
}
