// Tokens: the first turns authentication on, no lockout by accident, uses are stored rarely.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { digestOf } from "../../../src/core/access/token.ts";
import { type TokenDeps, Tokens } from "../../../src/resources/tokens/index.ts";
import { tokens as rows } from "../../../src/store/db/schema.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { listTokens } from "../../../src/store/tokens.ts";
import { FakeClock } from "../../jobs/fakes.ts";
import { breakAt, codeOf, dump, openTemporary, type TemporaryStore } from "../../store/temporary.ts";

const START = Date.parse("2026-06-01T00:00:00Z");
const configuredSecret = "configured-secret-0123456789";

let store: TemporaryStore;
let clock: FakeClock;
let errors: unknown[];
let tokens: Tokens;

beforeEach(async () => {
  store = openTemporary();
  clock = new FakeClock(START);
  errors = [];
  tokens = await open();
});
afterEach(async () => {
  await tokens.stop();
  await store.remove();
});

async function open(options: Partial<TokenDeps> = {}): Promise<Tokens> {
  const onError = (error: unknown) => errors.push(error);
  const opened = new Tokens({ store, clock, configured: [], required: false, onError, ...options });
  await opened.start();
  return opened;
}

async function make(name: string, rest: object = { scope: "admin" }, into = tokens): Promise<string> {
  return ((await into.create({ name, ...rest })) as { token: string }).token;
}

const scopeOf = (secret: string, name?: string) =>
  tokens.authenticate({ secret, ...(name !== undefined && { name }) })?.scope;

test("without tokens nothing is needed; the first one turns authentication on, the last off", async () => {
  expect([tokens.isOn, tokens.isEmpty]).toEqual([false, true]);
  await make("ops");
  expect([tokens.isOn, tokens.isEmpty]).toEqual([true, false]);
  await tokens.remove(["ops"], { force: false });
  expect(tokens.isOn).toBe(false);
});

test("a secret is shown once and kept nowhere", async () => {
  const made = (await tokens.create({ name: "ops", scope: "admin", expires_in: "1d" })) as { token: string };
  const { token, ...view } = made;
  expect(token).toMatch(/^torus_[\w-]{43}$/);
  expect(view).toEqual({
    name: "ops",
    scope: "admin",
    created_date: "2026-06-01T00:00:00.000Z",
    created_timestamp: START / 1000,
    expires_date: "2026-06-02T00:00:00.000Z",
    expires_timestamp: START / 1000 + 86_400,
  });
  expect((await tokens.list()).entries).toEqual([view]);
  expect(
    JSON.stringify([await listTokens(store), await dump(store), (await tokens.list()).entries]),
  ).not.toContain(token);
});

test("a secret is its own proof, and with a name only that name's", async () => {
  const ops = await make("ops");
  const grafana = await make("grafana", { scope: "read" });
  expect(ops).not.toBe(grafana);
  expect([scopeOf(ops), scopeOf(grafana)]).toEqual(["admin", "read"]);
  expect([scopeOf(ops, "ops"), scopeOf(ops, "grafana"), scopeOf(ops, "x")]).toEqual([
    "admin",
    undefined,
    undefined,
  ]);
  for (const wrong of ["", ops.slice(0, -1), `${ops}x`, ops.toUpperCase(), digestOf(ops)])
    expect([wrong, scopeOf(wrong), scopeOf(wrong, "ops")]).toEqual([wrong, undefined, undefined]);
});

test("an expired token is refused, and marked in the list", async () => {
  const secret = await make("ops", { scope: "admin", expires_in: 60 });
  clock.advance(59_999);
  expect(scopeOf(secret)).toBe("admin");
  clock.advance(1);
  expect(scopeOf(secret)).toBeUndefined();
  expect((await tokens.list()).entries).toMatchObject([{ name: "ops", expired: true }]);
  expect(tokens.isOn).toBe(true);
});

test("a deleted token opens nothing at once, and its name is free again for another secret", async () => {
  await make("ops");
  const old = await make("ci", { scope: "run" });
  await tokens.remove(["ci"], { force: false });
  expect(scopeOf(old)).toBeUndefined();
  const fresh = await make("ci", { scope: "read" });
  expect([scopeOf(old), scopeOf(fresh)]).toEqual([undefined, "read"]);
});

test("a restart knows them all", async () => {
  const secret = await make("ops");
  const again = await open();
  expect(again.authenticate({ secret })?.scope).toBe("admin");
  await again.stop();
});

describe("no lockout by accident", () => {
  test("the first token must be one of an administrator", async () => {
    expect(await codeOf(tokens.create({ name: "a", scope: "read" }))).toBe("invalid");
    expect(tokens.isOn).toBe(false);
  });

  test("the last administrator stays while others do, unless by force", async () => {
    await make("ops");
    await make("grafana", { scope: "read" });
    expect(await codeOf(tokens.remove(["ops"], { force: false }))).toBe("last_admin");
    await expect(tokens.remove(["ops"], { force: false })).rejects.toThrow(
      /scope admin first, or use force=true/,
    );
    expect((await tokens.list()).entries).toHaveLength(2);
    await make("boss");
    await tokens.remove(["ops"], { force: false });
    await tokens.remove(["boss"], { force: true });
    expect((await tokens.list()).entries).toMatchObject([{ name: "grafana" }]);
  });

  test("an expired administrator does not count", async () => {
    await make("ops");
    await make("old", { scope: "admin", expires_in: 1 });
    clock.advance(2000);
    expect(await codeOf(tokens.remove(["ops"], { force: false }))).toBe("last_admin");
  });

  test("all together may go, but not where a token is needed anyway", async () => {
    await make("ops");
    await make("grafana", { scope: "read" });
    const needed = await open({ required: true });
    expect(await codeOf(needed.remove(["ops", "grafana"], { force: false }))).toBe("last_admin");
    await needed.stop();
    await tokens.remove(["ops", "grafana", "ops"], { force: false });
    expect(tokens.isOn).toBe(false);
  });
});

describe("tokens of the settings", () => {
  const configured = [{ name: "ops", scope: "admin", digest: digestOf(configuredSecret) }] as const;

  test("are marked, are not kept, and go with the settings only", async () => {
    const opened = await open({ configured });
    expect(opened.isOn).toBe(true);
    expect((await opened.list()).entries).toEqual([{ name: "ops", scope: "admin", configured: true }]);
    expect(opened.authenticate({ secret: configuredSecret })?.scope).toBe("admin");
    expect((await opened.list()).entries).toMatchObject([{ last_used_timestamp: START / 1000 }]);
    expect(await codeOf(opened.remove(["ops"], { force: true }))).toBe("not_supported");
    expect(await codeOf(opened.create({ name: "ops", scope: "read" }))).toBe("already_exists");
    await opened.stop();
    expect(await listTokens(store)).toEqual([]);
  });

  test("may not have the name of one that was made", async () => {
    await make("ops");
    await expect(open({ configured })).rejects.toThrow(/server\.auth\.tokens\.0\.name: token ops exists/);
  });
});

describe("resources created with a token", () => {
  const creator = (id: string, scope: "read" | "run" | "admin" = "admin") => ({ id, name: "ops", scope });

  test("has its rights while it is there, and never more than at the time", async () => {
    await make("ops");
    const [row] = await listTokens(store);
    expect(tokens.rightsOf(null).scope).toBe("admin");
    expect(tokens.rightsOf(creator(row!.id)).scope).toBe("admin");
    expect(tokens.rightsOf(creator(row!.id, "run")).scope).toBe("run");
    await make("boss");
    await tokens.remove(["ops"], { force: false });
    expect(() => tokens.rightsOf(creator(row!.id))).toThrow(/token ops.*deleted or expired: save it again/);
    await make("ops");
    expect(() => tokens.rightsOf(creator(row!.id))).toThrow(/deleted or expired/);
  });

  test("has none when the token has expired", async () => {
    await make("ops", { scope: "admin", expires_in: 10 });
    const [row] = await listTokens(store);
    clock.advance(10_000);
    expect(() => tokens.rightsOf(creator(row!.id))).toThrow(/expired/);
  });
});

describe("uses", () => {
  test("are stored once a minute at most", async () => {
    const secret = await make("ops");
    for (let i = 0; i < 1000; i++) scopeOf(secret);
    expect(clock.pending).toBe(1);
    expect((await listTokens(store))[0]!.lastUsedAt).toBeNull();
    clock.advance(30_000);
    scopeOf(secret);
    clock.advance(30_000);
    expect((await listTokens(store))[0]!.lastUsedAt).toBe(START + 30_000);
    expect(clock.pending).toBe(0);
  });

  test("are stored at the stop; a failure does not stop the server", async () => {
    const secret = await make("ops");
    const repair = await breakAt(store, "update on tokens");
    scopeOf(secret);
    await tokens.stop();
    expect(errors).toHaveLength(1);
    await repair();
    scopeOf(secret);
    await tokens.stop();
    expect((await listTokens(store))[0]!.lastUsedAt).toBe(START);
    expect(clock.pending).toBe(0);
  });
});

test("a bad token is refused, and nothing is made", async () => {
  await make("ops");
  for (const body of [
    null,
    [],
    {},
    { name: "a" },
    { name: "a", scope: "root" },
    { name: "../x", scope: "read" },
  ])
    expect(await codeOf(tokens.create(body))).toBe("invalid");
  expect(await codeOf(tokens.create({ name: "ops", scope: "read" }))).toBe("already_exists");
  expect(await codeOf(tokens.remove(["ops", "x"], { force: true }))).toBe("not_found");
  expect(await listTokens(store)).toHaveLength(1);
});

test("there are at most a thousand", async () => {
  await write(store, async (tx) => {
    for (let i = 0; i < 999; i++)
      await tx
        .insert(rows)
        .values({ id: `${i}`, name: `t${i}`, scope: "admin", digest: digestOf(`${i}`), createdAt: 0 })
        .run();
  });
  const full = await open();
  await make("last", { scope: "read" }, full);
  await expect(make("more", { scope: "read" }, full)).rejects.toThrow(/the maximum/);
  await full.stop();
});
