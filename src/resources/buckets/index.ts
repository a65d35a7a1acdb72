// Buckets: configured data sources, and the jobs that read and write their points.
import {
  checkBucket,
  destroyBucket,
  kindOf,
  kindsWithFiles,
  mergeBucket,
  openBucket,
  viewBucket,
} from "../../buckets/index.ts";
import type { Bucket, OpenContext } from "../../buckets/kind.ts";
import { hasFile, noteGone, putAway, sizeOfFile } from "../../buckets/stored/index.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { etagOf, type IfMatch } from "../../core/input/etag.ts";
import { isRecord } from "../../core/input/json.ts";
import { Listed } from "../../core/input/listed.ts";
import { listViews, pickFields } from "../../core/input/listing.ts";
import type { BucketSettings } from "../../core/model/bucket-settings.ts";
import { cannotGroup } from "../../core/series/grouped-grid.ts";
import type { Queue, Submission, SubmitOptions } from "../../jobs/queue/queue.ts";
import {
  type BucketRow,
  ensureBucket,
  findBucket,
  keepPoints,
  listBuckets,
  listWithPoints,
  loadBucket,
  patchBuckets,
  putBucket,
  removeBuckets,
} from "../../store/buckets.ts";
import type { Store } from "../../store/db/open.ts";
import type { ReadSource } from "../columns/read-columns.ts";
import type { LiveControl } from "../live/index.ts";
import { type BinDeps, type Deleter, deletionOf } from "../shared/deletion.ts";
import { given, type Limits, type Params } from "../shared/range.ts";
import type { BucketCall } from "./metered-bucket.ts";
import { OpenBuckets } from "./open-buckets.ts";
import { type PlanRules, planRead, planWrite } from "./plan.ts";
import { exploreBucket, probeBucket, testBucket } from "./probe.ts";

/** Kind of bucket that points are pushed into. */
const LOCAL = "local";

interface BucketDeps extends BinDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "submit">;
  readonly context: OpenContext;
  readonly limits: Limits;
  readonly live?: LiveControl;
  /** Called at the end of every call to a data source. */
  readonly onCall?: (call: BucketCall) => void;
}

/** A job whose result has columns. */
interface SubmittedRead extends ReadSource {
  readonly jobId: string;
}

export class Buckets {
  readonly #open: OpenBuckets;

  constructor(private readonly deps: BucketDeps) {
    this.#open = new OpenBuckets(deps);
  }

  /** All buckets, without secrets. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<Listed> {
    const rows = await listBuckets(this.deps.store);
    return listViews(this.#view(rows), params, { defaultSort: "name" });
  }

  /**
   * One view per name, in their order; a single one with its entity tag.
   * @throws TorusError `not_found` naming the first unknown one
   */
  async get(names: readonly string[], params: Params = {}): Promise<Listed> {
    const rows: BucketRow[] = [];
    for (const name of names) rows.push(await loadBucket(this.deps.store, name));
    const etag = rows.length === 1 ? etagOfBucket(rows[0]!) : undefined;
    return new Listed(pickFields(this.#view(rows), params), { etag });
  }

  /**
   * Creates or replaces a bucket; a `local` bucket replaced by another `local` one keeps its points.
   * @param check connects first; on failure nothing is changed
   * @throws TorusError `invalid`, and with `check` `bucket_*`
   */
  async put(body: unknown, { check = false } = {}): Promise<void> {
    const { store, clock, context } = this.deps;
    const settings = checkBucket(body);
    await kindOf(settings).checkPlace?.(settings, context);
    if (check) await this.#tryOut(settings, probeBucket);
    const { name, type: kind } = settings;
    const hasFiles = kindsWithFiles.includes(kind);
    const old = await putBucket(store, { name, kind, settings, hasFiles }, clock.now());
    await this.#open.close(name);
    if (old && old.kind !== kind) destroyBucket(old.settings, context);
  }

  /** Works with a bucket that need not be stored. */
  async #tryOut<T>(settings: BucketSettings, work: (bucket: Bucket) => Promise<T>): Promise<T> {
    const bucket = openBucket(settings, this.deps.context);
    try {
      return await work(bucket);
    } finally {
      bucket.close();
    }
  }

  /**
   * Merges a part into the settings of each, all or none.
   * @throws TorusError `not_found`, `invalid`, `precondition_failed`
   */
  async patch(names: readonly string[], body: unknown, ifMatch?: IfMatch): Promise<void> {
    const { store, clock } = this.deps;
    const change = (row: BucketRow) => {
      ifMatch?.check(etagOfBucket(row));
      return mergeBucket(row.settings, body);
    };
    await patchBuckets(store, names, { at: clock.now(), change });
    await this.close(names);
  }

  /**
   * Deletes buckets, all or none; their stored points stay with their entries of the bin.
   * @param force stops the live models that use them
   * @returns entries of the bin
   * @throws TorusError `not_found`, `bucket_in_use`
   */
  async remove(
    names: readonly string[],
    { force, ...deleter }: Deleter & { readonly force: boolean },
  ): Promise<string[]> {
    const { store, context } = this.deps;
    for (const name of names) await loadBucket(store, name);
    await this.#releaseFromLive(names, force);
    const sizeOf = (name: string) => sizeOfFile(name, context.dataDir);
    const rows = await removeBuckets(store, names, deletionOf(this.deps, deleter), sizeOf);
    for (const { name, kind, settings, binned } of rows) {
      await this.#open.close(name);
      if (binned === undefined) destroyBucket(settings, context);
      else if (kindsWithFiles.includes(kind)) putAway(name, binned, context.dataDir);
    }
    return rows.flatMap(({ binned }) => binned ?? []);
  }

  async #releaseFromLive(names: readonly string[], force: boolean): Promise<void> {
    const { live } = this.deps;
    if (!live) return;
    const users = await Promise.all(
      names.map(async (name) => ({ name, models: await live.modelsUsing(name) })),
    );
    const used = users.find(({ models }) => models.length > 0);
    if (!used) return;
    const way = "stop it first, or use force=true";
    if (!force)
      throw new TorusError(
        "bucket_in_use",
        `bucket ${used.name} is used by live model ${used.models[0]}: ${way}`,
      );
    const all = users.flatMap(({ models }) => models);
    await live.stop(all, "a bucket of the model was deleted");
  }

  /**
   * Checks all points, then submits a job that writes them.
   * @returns id of the job
   * @throws TorusError `not_found`, `not_supported` (read-only), `invalid` naming the index, `overloaded`
   */
  async write(name: string, body: unknown, options: { measurement?: string } = {}): Promise<string> {
    const bucket = await this.open(name);
    return this.#submit(await planWrite(this.#rules(), { name, bucket, body, ...options }));
  }

  /**
   * Submits a job that reads aggregates; parameters `from` (required), `to` (default: now), `bucket_interval`, `features`.
   * @returns id of the job
   * @throws TorusError `not_found`, `invalid`, `not_supported` with `group_by`, `overloaded`
   */
  async read(name: string, params: Params): Promise<string> {
    return (await this.submitRead(name, params)).jobId;
  }

  /** As `read`. @returns the job, and what its result comes from */
  async submitRead(name: string, params: Params, options: SubmitOptions = {}): Promise<SubmittedRead> {
    await loadBucket(this.deps.store, name);
    const plan = planRead(this.#rules(), { name, params });
    const { intervalMs, features, groups } = plan.input;
    if (groups && !(await this.open(name)).readGrouped) throw cannotGroup(name);
    const jobId = await this.#submit({ ...plan, ...options });
    const names = features.map((feature) => feature.name);
    return { jobId, bucket: name, intervalMs, features: names, ...(groups && { groupBy: groups.groupBy }) };
  }

  /**
   * Deletes all points.
   * @param params of a part of them there are none
   * @throws TorusError `not_found`, `not_supported`, `invalid`, `bucket_*`
   */
  async clear(name: string, params: Params = {}): Promise<void> {
    for (const key of ["from", "to", "measurement"])
      if (given(params, key) !== undefined)
        throw invalid(key, "is not taken: all points of the bucket are deleted; leave it out");
    const bucket = await this.open(name);
    if (!bucket.clear)
      throw new TorusError("not_supported", `bucket ${name} does not support deleting its points`);
    await bucket.clear(new AbortController().signal);
  }

  /**
   * Connects with settings that are not stored, and reports the result or the error. What they leave out comes from
   * the stored bucket of that name and type, its secrets too, unless they would go to another place.
   * @throws TorusError `invalid`
   */
  async testSettings(body: unknown): Promise<object> {
    const { store, context } = this.deps;
    const { name, type } = isRecord(body) ? body : {};
    const old = typeof name === "string" ? await findBucket(store, name) : undefined;
    const settings = old && old.kind === type ? mergeBucket(old.settings, body) : checkBucket(body);
    await kindOf(settings).checkPlace?.(settings, context);
    return this.#tryOut(settings, testBucket);
  }

  /** Connects, and reports the result or the error. @throws TorusError `not_found` */
  async test(name: string): Promise<object> {
    return testBucket(await this.open(name));
  }

  /**
   * Measurements, fields and tags to read; parameters `measurement`, `field`, `tag`, `search`, `page`, `per_page`.
   * @throws TorusError `not_found`, `invalid`, `not_supported`, `bucket_*`
   */
  async explore(name: string, params: Params = {}): Promise<object> {
    return exploreBucket(await this.open(name), params);
  }

  /** The open bucket, shared by all callers. @throws TorusError `not_found` */
  open(name: string): Promise<Bucket> {
    return this.#open.open(name);
  }

  /**
   * The open `local` bucket of that name, created where it is missing.
   * @throws TorusError `invalid` for a name that cannot be, or beyond the cap; `not_supported` for another kind
   */
  async openLocal(name: string): Promise<Bucket> {
    const { store, clock } = this.deps;
    const known = await findBucket(store, name);
    if (known && known.kind !== LOCAL)
      throw new TorusError(
        "not_supported",
        `bucket ${name} is of the type ${known.kind}, and points are pushed into those of the type ${LOCAL}: name another one`,
      );
    if (!known) {
      const settings = checkBucket({ name, type: LOCAL });
      await ensureBucket(store, { name, kind: LOCAL, settings, hasFiles: true }, clock.now());
    }
    return this.open(name);
  }

  /** Looks for files that are gone, so that readiness names them before the first use; keeps which are there. */
  async inspect(): Promise<void> {
    const { store, context } = this.deps;
    const withPoints = new Set(await listWithPoints(store));
    for (const { name, kind } of await listBuckets(store)) {
      if (!kindsWithFiles.includes(kind)) continue;
      const isThere = hasFile(name, context.dataDir);
      if (isThere && !withPoints.has(name)) await keepPoints(store, name);
      if (!isThere && withPoints.has(name)) noteGone(name, context.dataDir);
    }
  }

  /** Closes buckets; the next use opens them with the stored settings. @param names absent: all */
  async close(names?: readonly string[]): Promise<void> {
    if (!names) return this.#open.closeAll();
    for (const name of names) await this.#open.close(name);
  }

  /** Without secrets, which redaction finds by reading every text. */
  #view(rows: readonly BucketRow[]): object[] {
    const { rowCache } = this.deps.store;
    return rows.map((row) => rowCache.view(row, ({ settings }) => viewBucket(settings)));
  }

  #rules(): PlanRules {
    return { limits: this.deps.limits, nowAt: this.deps.clock.now() };
  }

  async #submit(submission: Submission): Promise<string> {
    const [id] = await this.deps.queue.submit(submission);
    return id!;
  }
}

/** Secrets are left out of the digest, as it could be used to guess them; the time of the change stands for them. */
function etagOfBucket({ settings, updatedAt }: BucketRow): string {
  return etagOf([updatedAt, viewBucket(settings)]);
}
