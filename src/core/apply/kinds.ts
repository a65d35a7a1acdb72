// Kinds of resources that files describe, without their schemas, which commands do not load.

/** Section of a settings file per kind, in order of application: each kind refers only to those before it. */
export const sectionOf = {
  bucket: "buckets",
  calendar: "calendars",
  template: "templates",
  model: "models",
  hook: "hooks",
  scheduled_job: "scheduled_jobs",
} as const;
export type ResourceKind = keyof typeof sectionOf;
export const resourceKinds = Object.keys(sectionOf) as readonly ResourceKind[];
