// Recorded changes: deployments and configuration changes, sent by pipelines and other systems.
import { Type } from "@sinclair/typebox";
import type { AttributedChangeView } from "../api/changes/attribution.ts";
import type { ChangeView } from "../api/changes/change.ts";
import { date } from "../api/shown.ts";
import { GITHUB_SIGNATURE, isSignedByGithub } from "../core/access/github-signature.ts";
import type { Attribution } from "../core/changes/attribution.ts";
import { ChangeKind, checkTags } from "../core/changes/change.ts";
import { readChanges, shapeNames } from "../core/changes/shapes/index.ts";
import { invalid, TorusError } from "../core/errors.ts";
import type { Listed } from "../core/input/listed.ts";
import { parseListing, showViews } from "../core/input/listing.ts";
import { optional } from "../core/input/optional.ts";
import { check } from "../core/input/schema.ts";
import { oneOfWords } from "../core/input/words.ts";
import { parseTags } from "../core/model/series-text.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  type ChangeQuery,
  type ChangeRow,
  countChanges,
  listChanges,
  loadChange,
  recordChanges,
  removeChange,
} from "../store/changes/changes.ts";
import type { Store } from "../store/db/open.ts";
import { given, type Params, parseEnds } from "./shared/range.ts";

/** Shown without a page. */
const DEFAULT_PAGE = { from: 0, to: 100 };

/** Filters of the list. */
export const changeFilters = {
  from: date("Only changes that began, or were complete, at or after it"),
  to: date("Only changes that began before it"),
  kind: Type.Optional({ ...ChangeKind, description: "Only changes of this kind" }),
  tags: optional.text("Only changes with these tags, as in `service:web`"),
};

/** Parameter of new changes. */
export const shapeParameter = {
  shape: Type.Optional(
    oneOfWords(shapeNames, { description: "Shape of the body; default: it is recognized" }),
  ),
};

interface ChangesDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** Of GitHub's webhooks; undefined: none are taken. */
  readonly githubSecret: () => string | undefined;
}

export class Changes {
  constructor(private readonly deps: ChangesDeps) {}

  /**
   * Changes by `from`..`to`, `kind` and `tags`, newest first, in pages; without a page the newest 100.
   * @throws TorusError `invalid`
   */
  async list(params: Params): Promise<Listed> {
    const { store, clock } = this.deps;
    const listing = parseListing({ ...params, sort: undefined });
    const query = parseQuery(params, clock.now());
    const rows = await listChanges(store, query, listing.page ?? DEFAULT_PAGE);
    return showViews(rows.map(viewChange), listing, { total: await countChanges(store, query) });
  }

  /** @throws TorusError `not_found` */
  async get(id: string): Promise<ChangeView> {
    return viewChange(await loadChange(this.deps.store, id));
  }

  /**
   * Records the changes of a body, all or none; one with a known id is replaced, as is one of the same body.
   * @returns them, and how many are new; none for an event of another system that is no change
   * @throws TorusError `invalid`
   */
  async record(body: unknown, params: Params = {}): Promise<{ views: ChangeView[]; added: number }> {
    const { store, clock } = this.deps;
    const nowAt = clock.now();
    const found = readChanges(body, nowAt, parseShape(params));
    if (found.length === 0) return { views: [], added: 0 };
    const changes = found.map(({ id = crypto.randomUUID(), ...change }) => ({ ...change, id }));
    const last = [...new Map(changes.map((change) => [change.id, change])).values()];
    const { rows, added } = await recordChanges(store, last, { at: nowAt });
    return { views: rows.map(viewChange), added };
  }

  /**
   * Checks the signature of a webhook of GitHub.
   * @param body as it was sent
   * @param signature its header; null: there is none
   * @throws TorusError `unauthorized`; `not_supported` where no secret is set
   */
  checkGithub(body: string, signature: string | null): void {
    const secret = this.deps.githubSecret();
    if (!secret)
      throw new TorusError("not_supported", "webhooks of GitHub are not taken: set server.github_secret");
    if (!isSignedByGithub(body, signature, secret))
      throw new TorusError(
        "unauthorized",
        `${GITHUB_SIGNATURE} must be the signature of the body: give the webhook the secret of server.github_secret`,
      );
  }

  /** @throws TorusError `not_found` */
  async remove(id: string): Promise<void> {
    await removeChange(this.deps.store, id);
  }
}

/** @throws TorusError `invalid` */
function parseQuery(params: Params, nowAt: number): ChangeQuery {
  const kind = given(params, "kind");
  const tags = given(params, "tags");
  return {
    ...parseEnds(params, nowAt),
    ...(kind !== undefined && { kind: check(ChangeKind, kind, "kind") }),
    ...(tags !== undefined && { tags: checkTags(parseTags(String(tags), "tags"), "tags") }),
  };
}

/** @throws TorusError `invalid` */
function parseShape(params: Params) {
  const shape = given(params, "shape");
  const known = shapeNames.find((name) => name === shape);
  if (shape !== undefined && !known) throw invalid("shape", `must be one of ${shapeNames.join(", ")}`);
  return known;
}

/** View of a recorded change. */
export function viewChange({ id, at, endAt, kind, title, tags, url, createdAt }: ChangeRow): ChangeView {
  return {
    id,
    at: at / 1000,
    ...(endAt !== null && { end: endAt / 1000 }),
    kind,
    title,
    tags,
    ...(url !== null && { url }),
    created_timestamp: createdAt / 1000,
  };
}

/** View of a change that may have caused an anomaly. */
export function viewAttribution({ at, delayMs, ...attribution }: Attribution): AttributedChangeView {
  return { ...attribution, at: at / 1000, delay: delayMs / 1000 };
}
