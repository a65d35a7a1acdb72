// Output of a migration to a fleet: a row per model, with its series or the reason against it; then the copies.
import type { MigrationView } from "../../api/template.ts";
import type { Context } from "../command/command.ts";
import { countOf } from "../terminal/format.ts";
import { answerTable } from "./present.ts";

interface PlanRow {
  readonly model: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly outcome: string;
}

/** Prints the plan as a table, or the answer with `--json`; and a summary as notes. */
export function answerMigration(context: Context, migration: MigrationView): void {
  if (context.globals.json) {
    context.answer(migration);
    return;
  }
  const { group_by, series, left, not_copied: uncopied } = migration;
  const rows: PlanRow[] = [
    ...series.map(({ model, series: tags }) => ({ model, tags, outcome: "series" })),
    ...left.map(({ model, reason }) => ({ model, tags: {}, outcome: `stays: ${reason}` })),
  ];
  answerTable(context, rows, {
    columns: [
      { title: "MODEL", value: ({ model }) => model },
      ...group_by.map((tag) => ({
        title: tag.toUpperCase(),
        key: tag,
        value: ({ tags }: PlanRow) => tags[tag] ?? "-",
      })),
      { title: "OUTCOME", value: ({ outcome }) => outcome },
    ],
    name: ({ model }) => model,
    empty: "no models",
  });
  for (const { model, what, reason } of uncopied) context.note(`not copied: ${what} of ${model}: ${reason}`);
  context.note(describe(migration));
}

function describe({
  model,
  dry_run: isPlan,
  series,
  anomalies,
  labels,
  hooks,
  live,
  deleted,
}: MigrationView): string {
  const parts = [
    `${series.length} series`,
    countOf(anomalies, "anomaly", "anomalies"),
    countOf(labels, "label", "labels"),
    hooks.length === 0 ? "no hooks" : `${hooks.length === 1 ? "hook" : "hooks"} ${hooks.join(", ")}`,
  ];
  const ends = [
    live > 0 && countOf(live, "live model stopped", "live models stopped"),
    deleted > 0 && countOf(deleted, "single model deleted", "single models deleted"),
  ].filter(Boolean);
  const created = `${isPlan ? "would create" : "created"} model ${model}: ${parts.join(", ")}`;
  return [created, ...ends].join("; ");
}
