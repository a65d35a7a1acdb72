// Tables of the state database, by subject. Large JSON columns come last, so that lists never touch their pages.
export * from "./tables/bin.ts";
export * from "./tables/calendars.ts";
export * from "./tables/changes.ts";
export * from "./tables/fleets.ts";
export * from "./tables/hooks.ts";
export * from "./tables/jobs.ts";
export * from "./tables/live.ts";
export * from "./tables/models.ts";
export * from "./tables/schedules.ts";
export * from "./tables/server.ts";
