// External address of the server, as people set it in the dashboard; that of the settings comes first.
import { externalUrlForm, externalUrlRule } from "../../core/access/external-url.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import type { Clock } from "../../runtime/clock.ts";
import { deleteMeta, findMeta, putMeta } from "../../store/db/meta.ts";
import type { Store } from "../../store/db/open.ts";

const KEY = "external_url";
/** Another node may have changed it. */
const FRESH_MS = 60_000;
const MAX_LENGTH = 1024;
const rule = `${externalUrlRule}, or null for none`;

interface ExternalUrlDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
}

export class ExternalUrl {
  #stored: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly deps: ExternalUrlDeps) {}

  /** Reads it from the database. */
  async load(): Promise<void> {
    this.#readAt = this.deps.clock.now();
    this.#stored = await findMeta(this.deps.store, KEY);
  }

  /** @param configured that of the settings @returns without a slash at the end */
  valueBeside(configured: string | undefined): string | undefined {
    // The next look has what another node has stored; a database that is away leaves what is known.
    if (this.deps.clock.now() - this.#readAt > FRESH_MS) this.load().catch(() => undefined);
    return configured ?? this.#stored;
  }

  /**
   * Stores it, or with `{"url": null}` removes it.
   * @param configured that of the settings
   * @throws TorusError `invalid`, `not_supported` where the settings have one
   */
  async put(body: unknown, configured: string | undefined): Promise<void> {
    const url = isRecord(body) ? body.url : undefined;
    const isText =
      typeof url === "string" && url.length <= MAX_LENGTH && externalUrlForm.test(url) && URL.canParse(url);
    if (url !== null && !isText) throw invalid("url", rule);
    if (configured !== undefined)
      throw new TorusError(
        "not_supported",
        "server.external_url of the settings is in force: change it there",
      );
    if (typeof url === "string") await putMeta(this.deps.store, KEY, url.replace(/\/+$/, ""));
    else await deleteMeta(this.deps.store, KEY);
    await this.load();
  }
}
