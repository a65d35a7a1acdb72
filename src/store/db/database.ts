// Database handle of the verbs: drizzle's builder, whose statements are awaited on every engine.
import type { BaseSQLiteDatabase } from "drizzle-orm/sqlite-core";

/** On SQLite a statement has run when its call returns; awaiting it costs a microtask. */
export type Db = BaseSQLiteDatabase<"async", unknown>;
