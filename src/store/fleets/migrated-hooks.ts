// Hooks of single models in a migration: a fleet gets those that all of them have, with equal settings and secrets.
import { eq } from "drizzle-orm";
import { sortKeys } from "../../core/input/json.ts";
import { mapInOrder } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { hooks } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";
import { placeOfHook } from "../hooks.ts";

type HookRow = typeof hooks.$inferSelect;

/** A hook that the fleet does not get. */
export interface UncopiedHook {
  readonly model: string;
  readonly hook: string;
  readonly reason: string;
}

/** @returns the hooks of all models, secrets open, and those of some */
export async function compareHooks(
  tx: Pick<Tx, "select">,
  { vault }: Pick<Store, "vault">,
  members: readonly { readonly model: string }[],
): Promise<{ readonly shared: readonly HookRow[]; readonly uncopied: readonly UncopiedHook[] }> {
  const rows = await mapInOrder(members, ({ model }) =>
    tx.select().from(hooks).where(eq(hooks.model, model)).orderBy(hooks.name).all(),
  );
  const opened = rows.flat().map((row) => ({ ...row, config: vault.open(placeOfHook(row), row.config) }));
  const shared: HookRow[] = [];
  const uncopied: UncopiedHook[] = [];
  for (const [hook, own] of Map.groupBy(opened, ({ name }) => name)) {
    const isEverywhere = own.length === members.length;
    if (isEverywhere && new Set(own.map(contentOf)).size === 1) shared.push(own[0]!);
    else {
      const reason = isEverywhere ? "differs between the models" : "not all models have it";
      uncopied.push(...own.map(({ model }) => ({ model, hook, reason })));
    }
  }
  return { shared, uncopied };
}

/** Adds copies of hooks to a model without hooks, their secrets sealed at the new place. */
export async function copyHooks(
  tx: Tx,
  { vault }: Pick<Store, "vault">,
  { hooks: rows, model, at }: { hooks: readonly HookRow[]; model: string; at: number },
): Promise<void> {
  for (const row of rows) {
    const config = vault.seal(placeOfHook({ model, name: row.name }), row.config, row.kind);
    await tx
      .insert(hooks)
      .values({ ...row, model, config, createdAt: at, updatedAt: at })
      .run();
  }
}

function contentOf({ kind, config, options }: HookRow): string {
  return JSON.stringify(sortKeys({ kind, config, options }));
}
