// Apply: creates and changes resources as files describe them; prune deletes only those of an earlier apply.
import type { Creator } from "../../core/access/token.ts";
import { resourceKinds } from "../../core/apply/kinds.ts";
import type {
  ApplyInput,
  ApplyResult,
  Mistake,
  Resource,
  ResourceChange,
} from "../../core/apply/resource.ts";
import { describeError, fieldErrorsOf, placeErrors, TorusError } from "../../core/errors.ts";
import { MAX_ERRORS } from "../../core/input/schema.ts";
import { type AppliedKey, listApplied, recordApplied } from "../../store/applied.ts";
import type { BinDeps, Deleter } from "../shared/deletion.ts";
import { idOf, idOfResource, keyOf } from "./key.ts";
import type { ApplyDeps, Planned, PlanOptions, Present } from "./kind.ts";
import { appliedKinds } from "./kinds.ts";
import { assertNew, loadPresent, planResource } from "./plan.ts";

interface ApplyOptions {
  readonly set: string;
  readonly dryRun?: boolean;
  readonly prune?: boolean;
  readonly creator?: Creator | undefined;
}

/** Outcome of the definitions of a settings file. */
interface Defined {
  readonly changes: readonly ResourceChange[];
  /** Defined by an earlier file, but no longer. */
  readonly left: readonly AppliedKey[];
}

/** Set of the settings file; no name that a client can choose. */
const SETTINGS_SET = "/settings";

export class Apply {
  constructor(
    private readonly deps: ApplyDeps &
      Pick<BinDeps, "clock"> & { readonly onError: (error: unknown) => void },
  ) {}

  /**
   * Creates and changes resources to match `resources`.
   * @returns one entry per resource; one that failed has an `error`, and the others are applied
   * @throws TorusError `invalid` with all `mistakes` where any resource is wrong; then nothing is changed
   */
  async apply(
    input: ApplyInput,
    { set, dryRun = false, prune = false, creator }: ApplyOptions,
  ): Promise<ApplyResult> {
    const { store } = this.deps;
    const owned = prune ? findPruned(input, await listApplied(store, set)) : [];
    const present = await loadPresent(store);
    for (const { kind, name } of owned) if (kind === "model") present.models.delete(name);
    const planned = await this.#plan(input.resources, present, { creator });
    const described = new Set(planned.map(idOf));
    // Names of scheduled jobs are known after planning only.
    const surplus = owned.filter((key) => !described.has(idOf(key)));
    const changes = planned.map(viewPlanned);
    const deletions = surplus.map((key): ResourceChange => ({ ...key, action: "delete" }));
    if (!dryRun) {
      await this.#run(planned, changes, set);
      await this.#prune(surplus, deletions, { by: creator?.name, at: this.deps.clock.now() });
    }
    return { set, dry_run: dryRun, changes: [...changes, ...deletions] };
  }

  /**
   * Applies the definitions of a settings file and records them; resources it no longer defines stay, unrecorded.
   * @throws TorusError `invalid` with all `mistakes`; then nothing is changed
   */
  async define(resources: readonly Resource[]): Promise<Defined> {
    const { store } = this.deps;
    const planned = await this.#plan(resources, await loadPresent(store), { replaceBuckets: true });
    for (const { action, run } of planned) if (action !== "none") await run();
    const named = new Set(planned.map(idOf));
    const left = (await listApplied(store, SETTINGS_SET)).filter((key) => !named.has(idOf(key)));
    const changes = planned.map(viewPlanned).filter(({ action }) => action !== "none");
    if (changes.length > 0 || left.length > 0)
      await recordApplied(store, SETTINGS_SET, planned.map(keyOf), { replace: true });
    return { changes, left };
  }

  async #plan(resources: readonly Resource[], present: Present, options: PlanOptions): Promise<Planned[]> {
    const planned: Planned[] = [];
    const mistakes: Mistake[] = [];
    const seen = new Set<string>();
    for (const [index, resource] of inOrder(resources)) {
      announce(resource, present);
      try {
        for (const plan of await planResource(resource, { deps: this.deps, present, ...options })) {
          assertNew(idOf(plan), seen);
          planned.push(plan);
        }
      } catch (error) {
        if (!(error instanceof TorusError)) throw error;
        mistakes.push(...fieldErrorsOf(error).map((field) => ({ index, ...field })));
      }
    }
    if (mistakes.length > 0) throw refusal(mistakes);
    return planned;
  }

  async #run(planned: readonly Planned[], changes: ResourceChange[], set: string | undefined): Promise<void> {
    const created: Planned[] = [];
    for (const [index, { action, run }] of planned.entries()) {
      if (action === "none") continue;
      const error = await this.#attempt(run);
      if (error !== undefined) changes[index] = { ...changes[index]!, error };
      else if (action === "create") created.push(planned[index]!);
    }
    if (set !== undefined && created.length > 0)
      await recordApplied(this.deps.store, set, created.map(keyOf));
  }

  /** Deletes in reverse order of creation: referrers before what they refer to. */
  async #prune(surplus: readonly AppliedKey[], deletions: ResourceChange[], deleter: Deleter): Promise<void> {
    for (const [index, key] of surplus.entries()) {
      const error = await this.#attempt(() => appliedKinds[key.kind].remove(this.deps, key, deleter));
      if (error !== undefined) deletions[index] = { ...deletions[index]!, error };
    }
  }

  /** @returns the error message; undefined on success */
  async #attempt(work: () => Promise<unknown>): Promise<string | undefined> {
    try {
      await work();
      return undefined;
    } catch (error) {
      if (!(error instanceof TorusError)) this.deps.onError(error);
      return describeError(error).message;
    }
  }
}

/** Makes a model or a calendar known to those that refer to it in the same request. */
function announce({ kind, settings }: Resource, { models, calendarNames }: Present): void {
  if (typeof settings.name !== "string") return;
  if (kind === "calendar") calendarNames.add(settings.name);
  if (kind === "model" && !models.has(settings.name)) models.set(settings.name, undefined);
}

/** Resources with their index in the request, in the order of kinds. */
function inOrder(resources: readonly Resource[]): (readonly [number, Resource])[] {
  const rank = ({ kind }: Resource) => resourceKinds.indexOf(kind);
  return [...resources.entries()].sort(([, a], [, b]) => rank(a) - rank(b));
}

/** Owned resources of the pruned kinds that the request does not name, in the order of deletion. */
function findPruned({ resources, kinds }: ApplyInput, owned: readonly AppliedKey[]): AppliedKey[] {
  const pruned = new Set(kinds ?? resources.map(({ kind }) => kind));
  const named = new Set(resources.map(idOfResource));
  // Hooks belong to their models.
  const isPruned = ({ kind, model }: AppliedKey) =>
    pruned.has(kind) || (model !== undefined && pruned.has("model"));
  return owned
    .filter((key) => isPruned(key) && !named.has(idOf(key)))
    .toSorted((a, b) => resourceKinds.indexOf(b.kind) - resourceKinds.indexOf(a.kind));
}

function viewPlanned(plan: Planned): ResourceChange {
  const { action, fields } = plan;
  return { ...keyOf(plan), action, ...(action === "change" && { fields: [...fields] }) };
}

function refusal(mistakes: readonly Mistake[]): TorusError {
  const errors = mistakes.flatMap(({ index, ...field }) => placeErrors([field], `resources.${index}`));
  const { path, message } = errors[0]!;
  return new TorusError("invalid", `${path}: ${message}`, {
    path,
    errors: errors.slice(0, MAX_ERRORS),
    mistakes,
  });
}
