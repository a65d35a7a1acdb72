// Tokens: API credentials, held in memory as digests so that requests are checked without the database.
import { randomBytes, timingSafeEqual } from "node:crypto";
import {
  type ConfiguredToken,
  type Creator,
  type Credentials,
  digestOf,
  formatSecret,
  narrowerScope,
  type Principal,
  TokenInput,
  unrestricted,
} from "../../core/access/token.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import type { Listed } from "../../core/input/listed.ts";
import { listViews } from "../../core/input/listing.ts";
import { check } from "../../core/input/schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { createToken, listTokens, removeTokens, type TokenRow } from "../../store/tokens.ts";
import type { Params } from "../shared/range.ts";
import { TokenUses } from "./uses.ts";
import { isExpired, type Token, viewToken } from "./view.ts";

const MAX_TOKENS = 1000;

export interface TokenDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** Tokens of the settings file. */
  readonly configured: readonly ConfiguredToken[];
  /** Requires a token even if there is none. */
  readonly required: boolean;
  readonly onError: (error: unknown) => void;
}

export class Tokens {
  readonly #byName = new Map<string, Token>();
  /** Lookup by the digest of a secret; its timing reveals nothing about the secret. */
  readonly #byDigest = new Map<string, Token>();
  readonly #uses: TokenUses;
  #required: boolean;

  constructor(private readonly deps: TokenDeps) {
    this.#uses = new TokenUses(deps);
    this.#required = deps.required;
  }

  /**
   * Loads the tokens; must be called before the first request.
   * @throws TorusError `invalid` if a token of the settings has the name of a stored one
   */
  async start(): Promise<void> {
    for (const row of await listTokens(this.deps.store)) this.#add(row);
    this.configure(this.deps);
  }

  /** Reads the stored tokens again, which another node has changed. */
  async reload(): Promise<void> {
    const rows = new Map((await listTokens(this.deps.store)).map((row) => [row.name, row]));
    for (const token of [...this.#byName.values()])
      if (token.createdAt !== null && rows.get(token.name)?.id !== token.id) this.#drop(token);
    for (const row of rows.values()) if (!this.#byName.has(row.name)) this.#add(row);
  }

  /**
   * Replaces the tokens of the settings.
   * @throws TorusError `invalid` if one has the name of a stored token; then nothing changes
   */
  configure({ configured, required }: Pick<TokenDeps, "configured" | "required">): void {
    const old = [...this.#byName.values()].filter(({ createdAt }) => createdAt === null);
    for (const [index, { name }] of configured.entries())
      if (this.#byName.has(name) && !old.some((token) => token.name === name))
        throw invalid(
          `server.auth.tokens.${index}.name`,
          `token ${name} exists: delete it, or choose another name`,
        );
    for (const token of old) this.#drop(token);
    for (const { name, scope, digest } of configured) {
      const row = { id: `settings/${name}`, name, scope, digest, lastUsedAt: null, expiresAt: null };
      this.#add({ ...row, createdAt: null });
    }
    this.#required = required;
  }

  /** Whether there would be no token with these settings. */
  isEmptyWith(configured: readonly ConfiguredToken[]): boolean {
    return configured.length === 0 && ![...this.#byName.values()].some(({ createdAt }) => createdAt !== null);
  }

  /** Stores the pending uses. */
  async stop(): Promise<void> {
    await this.#uses.write();
  }

  /** Whether requests need a token. */
  get isOn(): boolean {
    return this.#required || this.#byName.size > 0;
  }

  /** Whether there is no token. */
  get isEmpty(): boolean {
    return this.#byName.size === 0;
  }

  /** The principal of the credentials; undefined if they are unknown or expired. */
  authenticate({ name, secret }: Credentials): Principal | undefined {
    const digest = digestOf(secret);
    const token = name === undefined ? this.#byDigest.get(digest) : this.#byName.get(name);
    if (!token || !timingSafeEqual(token.digest, Buffer.from(digest, "hex"))) return undefined;
    const nowAt = this.deps.clock.now();
    if (isExpired(token, nowAt)) return undefined;
    this.#uses.note(token, nowAt);
    return token.principal;
  }

  /**
   * The rights of a resource created with a token: the lesser of its scope then and now.
   * @param creator null: created without authentication, or by the settings
   * @throws TorusError `forbidden` if the token was deleted or has expired
   */
  rightsOf(creator: Creator | null): Principal {
    if (creator === null) return unrestricted;
    const token = this.#byName.get(creator.name);
    if (token && this.isValid(creator))
      return { ...token.principal, scope: narrowerScope(token.scope, creator.scope) };
    const way = "save it again with a valid token";
    throw new TorusError(
      "forbidden",
      `token ${creator.name}, which created this, is deleted or expired: ${way}`,
    );
  }

  /** Whether the token exists and has not expired. */
  isValid({ id, name }: Pick<Creator, "id" | "name">): boolean {
    const token = this.#byName.get(name);
    return token?.id === id && !isExpired(token, this.deps.clock.now());
  }

  /** End of a token, ms since the epoch; undefined if it has none. */
  expiryOf(name: string): number | undefined {
    return this.#byName.get(name)?.expiresAt ?? undefined;
  }

  /** All tokens, without their secrets. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<Listed> {
    const nowAt = this.deps.clock.now();
    const views = [...this.#byName.values()].map((token) => viewToken(token, nowAt));
    return listViews(views, params, { defaultSort: "name" });
  }

  /**
   * Creates a token; the first one turns authentication on.
   * @returns its view with the secret, which is shown only here
   * @throws TorusError `invalid`, `already_exists`
   */
  async create(body: unknown): Promise<object> {
    const { name, scope, expires_in } = check(TokenInput, body);
    const nowAt = this.deps.clock.now();
    if (this.#byName.size >= MAX_TOKENS)
      throw invalid("", `there are already ${MAX_TOKENS} tokens, the maximum: delete unused ones`);
    if (this.#byName.has(name))
      throw new TorusError("already_exists", `token ${name} exists: delete it first, or choose another name`);
    if (scope !== "admin" && this.#admins(nowAt).length === 0)
      throw invalid("scope", "must be admin for the first token: only an admin can create others");
    const expiresAt = expires_in === undefined ? null : nowAt + parseDuration(expires_in, "expires_in");
    const secret = formatSecret(randomBytes(32));
    const row: TokenRow = {
      ...{ id: crypto.randomUUID(), name, scope, digest: digestOf(secret) },
      ...{ createdAt: nowAt, lastUsedAt: null, expiresAt },
    };
    await createToken(this.deps.store, row);
    return { ...viewToken(this.#add(row), nowAt), token: secret };
  }

  /**
   * Deletes tokens, all or none; deleting the last one turns authentication off.
   * @param force also deletes the last admin token
   * @throws TorusError `not_found`, `not_supported` (of the settings), `last_admin`
   */
  async remove(names: readonly string[], { force }: { force: boolean }): Promise<void> {
    const removed = names.map((name) => this.#requireRemovable(name));
    if (!force) this.#assertAdminRemains(removed);
    await removeTokens(this.deps.store, names);
    for (const token of removed) this.#drop(token);
  }

  #requireRemovable(name: string): Token {
    const token = this.#byName.get(name);
    if (!token) throw new TorusError("not_found", `token ${name} does not exist`);
    if (token.createdAt !== null) return token;
    const way = "remove it from server.auth.tokens and reload the settings";
    throw new TorusError("not_supported", `token ${name} comes from the settings: ${way}`);
  }

  #assertAdminRemains(removed: readonly Token[]): void {
    const admins = this.#admins(this.deps.clock.now());
    const staysOn = this.#required || new Set(removed).size < this.#byName.size;
    const hasAdmin = admins.some((token) => !removed.includes(token));
    if (hasAdmin || !staysOn || admins.length === 0) return;
    const way = "make another one with scope admin first, or use force=true";
    throw new TorusError("last_admin", `token ${admins[0]!.name} is the last with scope admin: ${way}`);
  }

  #admins(nowAt: number): Token[] {
    return [...this.#byName.values()].filter((token) => token.scope === "admin" && !isExpired(token, nowAt));
  }

  #add({ digest, ...row }: Omit<TokenRow, "createdAt"> & { createdAt: number | null }): Token {
    const { id, name, scope } = row;
    const principal = { scope, token: { id, name, scope } };
    const token = { ...row, digest: Buffer.from(digest, "hex"), principal };
    this.#byName.set(name, token);
    this.#byDigest.set(digest, token);
    return token;
  }

  #drop(token: Token): void {
    this.#byName.delete(token.name);
    this.#byDigest.delete(token.digest.toString("hex"));
    this.#uses.forget(token);
  }
}
