// Changes found in a bucket: versions that take the place of others in its series, each recorded once.
import { createHash } from "node:crypto";
import type { ChangeView } from "../../api/changes/change.ts";
import { checkSource } from "../../buckets/index.ts";
import { checkChange, MAX_CHANGES, type RecordedChange } from "../../core/changes/change.ts";
import { tagsOf, titleOf } from "../../core/changes/shapes/values.ts";
import {
  findVersionChanges,
  isRestless,
  type VersionChange,
  type VersionRun,
  versionRuns,
} from "../../core/changes/versions.ts";
import { invalid, TorusError, throwIfAborted } from "../../core/errors.ts";
import { describeSeries } from "../../core/model/series-text.ts";
import { type OpenBucket, readFeatureGroups } from "../../points/features.ts";
import { explainMissing } from "../../points/missing-fields.ts";
import type { Clock } from "../../runtime/clock.ts";
import { createYielder } from "../../runtime/steps.ts";
import { loadBucket } from "../../store/buckets.ts";
import { recordChanges } from "../../store/changes/changes.ts";
import type { Store } from "../../store/db/open.ts";
import { viewChange } from "../changes.ts";
import { type FindRequest, parseFindRequest } from "./request.ts";

/** Series of a search: a service has one for each of its versions. */
const MAX_SERIES = 1000;
/** Searches at the same time; beyond, requests are refused. */
const MAX_SEARCHES = 4;
const DEADLINE_MS = 30_000;
const VALUE = "value";
/** Letters of an id, after its word. */
const ID_LETTERS = 32;

interface FoundChangesDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly openBucket: OpenBucket;
}

interface Found {
  readonly views: ChangeView[];
  readonly added: number;
  readonly advice: readonly string[];
}

interface Search {
  readonly changes: RecordedChange[];
  readonly advice: readonly string[];
}

export class FoundChanges {
  #searches = 0;

  constructor(private readonly deps: FoundChangesDeps) {}

  /**
   * Records the versions that took the place of others within the range; one that was found before stays one change.
   * @returns them, how many are new, and which field or tags the bucket does not have where it has no versions
   * @throws TorusError `invalid`, `not_found`, `not_supported`, `overloaded`, `bucket_*`, `deadline`, `canceled`
   */
  async find(body: unknown, signal: AbortSignal): Promise<Found> {
    const { store, clock } = this.deps;
    const nowAt = clock.now();
    const request = parseFindRequest(body, nowAt);
    const { settings } = await loadBucket(store, request.bucket);
    checkSource(settings, request.source, "feature");
    const { changes, advice } = await this.#search(request, signal);
    if (changes.length === 0) return { views: [], added: 0, advice };
    const { rows, added } = await recordChanges(store, changes, { at: nowAt });
    return { views: rows.map(viewChange), added, advice };
  }

  async #search(request: FindRequest, signal: AbortSignal): Promise<Search> {
    if (this.#searches >= MAX_SEARCHES)
      throw new TorusError("overloaded", `more than ${MAX_SEARCHES} searches for changes run; try again`);
    const bounded = AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]);
    this.#searches++;
    try {
      return await this.#read(request, bounded);
    } catch (error) {
      throwIfAborted(bounded);
      throw error;
    } finally {
      this.#searches--;
    }
  }

  async #read(request: FindRequest, signal: AbortSignal): Promise<Search> {
    const { bucket, source, by, label, range, whole, intervalMs } = request;
    const features = [{ ...source, name: VALUE }];
    const groupBy = label === undefined ? by : [...by, label];
    const read = { features, bucket, range: whole, intervalMs, groupBy, maxSeries: MAX_SERIES };
    const { series, truncated } = await readFeatureGroups(this.deps.openBucket, read, signal);
    if (truncated)
      throw invalid("by", `makes more than ${MAX_SERIES} series: choose some by query or by match_all`);
    const columns = series.map(({ tags, grid }) => ({ tags, column: grid.columns[VALUE]! }));
    const atOf = ({ index }: VersionChange) => whole.fromAt + index * intervalMs;
    const found: VersionChange[] = [];
    const yieldToOthers = createYielder(signal);
    for (const run of versionRuns(columns, label)) {
      const changes = findVersionChanges(run);
      if (isRestless(run, changes.length)) throw noVersion(run, changes.length);
      found.push(...changes.filter((change) => atOf(change) >= range.fromAt));
      await yieldToOthers();
    }
    if (found.length > MAX_CHANGES)
      throw invalid(
        "feature",
        `has ${found.length} changes in the range, at most ${MAX_CHANGES} are recorded: choose a shorter one, or values that change less often`,
      );
    const changes = found.map((change) => describeChange(change, request, atOf(change)));
    const lacks = series.length === 0 || groupBy.some((tag) => series.every(({ tags }) => !tags[tag]));
    const sought = { ...source, bucket, group_by: groupBy };
    return { changes, advice: lacks ? await explainMissing(this.deps.openBucket, [sought], signal) : [] };
  }
}

function noVersion({ tags }: VersionRun, count: number): TorusError {
  const name = describeSeries(tags);
  const what = `has ${count} new values${name && ` of ${name}`} in the range, as a measurement has, not a version`;
  return invalid("feature", `${what}: choose one as build_info or a generation`);
}

/** Another search finds the same change at the same instant: so its id is the same. */
function describeChange(
  { tags, from, to }: VersionChange,
  { bucket, kind, title, tags: more }: FindRequest,
  at: number,
): RecordedChange {
  const key = JSON.stringify([bucket, kind, title, Object.entries(tags), to, at]);
  const id = `found-${createHash("sha256").update(key).digest("hex").slice(0, ID_LETTERS)}`;
  const name = Object.values(tags).filter(Boolean).join(" ");
  const text = titleOf(`${name && `${name}: `}${title} ${from.join(", ")} -> ${to}`);
  const draft = { id, kind, title: text, tags: { ...more, ...tagsOf(tags) }, at: at / 1000 };
  return { ...checkChange(draft, at), id };
}
