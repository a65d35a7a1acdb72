// SQL of templates: settings of models with placeholders, by name.
import { eq } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import { type Deletion, moveToBin, trimBin } from "./bin/move.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Store } from "./db/open.ts";
import { templates } from "./db/schema.ts";
import { read, type Tx, write } from "./db/transaction.ts";

export type TemplateRow = typeof templates.$inferSelect;

/** All templates, by name. */
export function listTemplates(store: Store): Promise<TemplateRow[]> {
  return read(store, (db) => db.select().from(templates).orderBy(templates.name).all());
}

/** @throws TorusError `not_found` */
export function loadTemplate(store: Store, name: string): Promise<TemplateRow> {
  return read(store, (db) => requireTemplate(db, name));
}

/**
 * Creates a template.
 * @param at ms since the epoch
 * @throws TorusError `already_exists`, `invalid` beyond the cap
 */
export function createTemplate(
  store: Store,
  { name, settings }: Pick<TemplateRow, "name" | "settings">,
  at: number,
): Promise<void> {
  return write(store, async (tx) => {
    if (await findTemplate(tx, name))
      throw new TorusError("already_exists", `template ${name} exists already: delete it first`);
    await assertBelowCap(tx, caps.templates);
    await tx.insert(templates).values({ name, settings, createdAt: at }).run();
  });
}

/** Creates or replaces a template. @param at ms since the epoch. @throws TorusError `invalid` beyond the cap */
export function putTemplate(
  store: Store,
  { name, settings }: Pick<TemplateRow, "name" | "settings">,
  at: number,
): Promise<void> {
  return write(store, async (tx) => {
    if (!(await findTemplate(tx, name))) await assertBelowCap(tx, caps.templates);
    await tx
      .insert(templates)
      .values({ name, settings, createdAt: at })
      .onConflictDoUpdate({ target: templates.name, set: { settings } })
      .run();
  });
}

/**
 * Deletes templates, all or none.
 * @param deletion absent: for good
 * @returns entries of the bin
 * @throws TorusError `not_found` naming the first unknown one
 */
export function removeTemplates(
  store: Store,
  names: readonly string[],
  deletion?: Deletion,
): Promise<string[]> {
  return write(store, async (tx) => {
    const binned: string[] = [];
    for (const name of new Set(names)) {
      const rows = [["templates", await requireTemplate(tx, name)]] as const;
      if (deletion) binned.push(await moveToBin(tx, { kind: "template", name, rows }, deletion));
      await tx.delete(templates).where(eq(templates.name, name)).run();
    }
    if (deletion) await trimBin(tx);
    return binned;
  });
}

function findTemplate(tx: Pick<Tx, "select">, name: string): Promise<TemplateRow | undefined> {
  return tx.select().from(templates).where(eq(templates.name, name)).get();
}

async function requireTemplate(tx: Pick<Tx, "select">, name: string): Promise<TemplateRow> {
  const row = await findTemplate(tx, name);
  if (!row) throw new TorusError("not_found", `template ${name} does not exist`);
  return row;
}
