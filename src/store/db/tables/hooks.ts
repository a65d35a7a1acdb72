// Tables of notifications: hooks, and the outbox of their events.
import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from "drizzle-orm/sqlite-core";
import type { DeliveryCode } from "../../../core/anomaly/delivery-code.ts";
import type { HookEvent } from "../../../core/anomaly/event.ts";
import type { HookOptions } from "../../../core/anomaly/hook-options.ts";
import type { HookSelector } from "../../../core/anomaly/hook-selector.ts";
import { models } from "./models.ts";

export const hooks = sqliteTable(
  "hooks",
  {
    model: text()
      .notNull()
      .references(() => models.name, { onDelete: "cascade" }),
    name: text().notNull(),
    kind: text().notNull(),
    /** Server or program that is called, see `receiverOf`; null: the hook is of an older version. */
    receiver: text(),
    createdAt: integer("created_at").notNull(),
    updatedAt: integer("updated_at").notNull(),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    options: text({ mode: "json" }).$type<HookOptions>().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.model, table.name] })],
);

/** Hooks of many models, by a selector. */
export const globalHooks = sqliteTable("global_hooks", {
  name: text().primaryKey(),
  kind: text().notNull(),
  /** Server or program that is called, see `receiverOf`. */
  receiver: text().notNull(),
  createdAt: integer("created_at").notNull(),
  updatedAt: integer("updated_at").notNull(),
  selector: text({ mode: "json" }).$type<HookSelector>().notNull(),
  config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
  options: text({ mode: "json" }).$type<HookOptions>().notNull().default({}),
});

/** One row per event and hook, committed with its cause; delivered at least once. */
export const outbox = sqliteTable(
  "outbox",
  {
    /** Order of events. */
    seq: integer().primaryKey({ autoIncrement: true }),
    /** Idempotency key: the same in every attempt and resend. */
    id: text().notNull(),
    model: text().notNull(),
    hook: text().notNull(),
    /** Whether `hook` names a global hook: one of the same name may belong to the model. */
    isGlobal: integer("is_global", { mode: "boolean" }).notNull().default(false),
    /** Kind and configuration of the hook at the time of the event, which is delivered even if the hook is deleted. */
    kind: text().notNull(),
    /** That of the hook; hooks with the same one share its slots. */
    receiver: text(),
    /** Repeats the start of an anomaly while it lasts; one row, rescheduled after each delivery. */
    resend: integer({ mode: "boolean" }).notNull().default(false),
    /** Of a hook that groups: values of tags, see `eventGroupKeyOf`; null: a notification of its own. */
    groupKey: text("group_key"),
    /** Notification that the event was put into by its first attempt; further attempts repeat it. */
    batch: text(),
    state: text().$type<"waiting" | "sent" | "rejected" | "expired">().notNull(),
    attempts: integer().notNull().default(0),
    createdAt: integer("created_at").notNull(),
    /** Not before this instant, ms. */
    nextAt: integer("next_at").notNull(),
    endedAt: integer("ended_at"),
    lastError: text("last_error"),
    event: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    config: text({ mode: "json" }).$type<Record<string, unknown>>().notNull(),
    /** Of `lastError`. */
    lastErrorCode: text("last_error_code").$type<DeliveryCode>(),
  },
  (table) => [
    uniqueIndex("outbox_by_id").on(table.id, table.resend),
    index("outbox_by_state").on(table.state, table.nextAt),
    index("outbox_by_hook").on(table.model, table.hook, table.seq),
    index("outbox_by_group").on(table.hook, table.groupKey, table.state, table.seq),
  ],
);

/** A delivery, with its event. */
export type OutboxRow = Omit<typeof outbox.$inferSelect, "event"> & { readonly event: HookEvent };
