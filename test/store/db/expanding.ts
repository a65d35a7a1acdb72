// Rule of migrations: each adds what the version before can live with, or names the oldest version that can use it.
import { OLDEST_VERSION } from "../../../src/store/db/oldest-version.ts";

/** Name of a table or column, quoted as either dialect does. */
const name = '["`](\\w+)["`]';
const creation = new RegExp(`^create table ${name}`, "i");
const addition = new RegExp(`^alter table ${name} add (?:column )?${name} `, "i");
const index = new RegExp(`^create (unique )?index ${name} on ${name}`, "i");
const trigger = new RegExp(`^create trigger ${name} .* on ${name} for each row`, "i");
const insertion = new RegExp(`^insert into ${name}`, "i");
/** What no statement of another version depends on. */
const harmless = [
  /^create (function|sequence) /i,
  new RegExp(`^alter table ${name} set \\([\\w =.,]+\\)$`, "i"),
];

/** Statements of a migration, without comments; the bodies of functions are left out. */
export function statementsOf(text: string): string[] {
  const plain = text.replace(/\$\$[\s\S]*?\$\$/g, "$body$").replace(/^\s*--(?!>).*$/gm, "");
  return plain
    .split(/;\s*(?:\n|$)|;?--> statement-breakpoint/)
    .map((part) => part.replace(/\s+/g, " ").trim())
    .filter((part) => part !== "");
}

/** What the version before could not live with, a line each; none where the migration names the oldest version. */
export function findContractions(text: string): string[] {
  const statements = statementsOf(text);
  if (statements.some((part) => part.includes(`'${OLDEST_VERSION}'`))) return [];
  const made = new Set(statements.flatMap((part) => creation.exec(part)?.[1] ?? []));
  return statements.flatMap((part) => {
    const reason = refusalOf(part, made);
    return reason ? [`${reason}: ${part.slice(0, 80)}`] : [];
  });
}

function refusalOf(part: string, made: ReadonlySet<string>): string | undefined {
  if (!keepsDeletions(part, made)) return "a reference keeps rows from being deleted";
  if (creation.test(part) || harmless.some((form) => form.test(part))) return undefined;
  const added = addition.exec(part);
  if (added) return isFilled(part) || made.has(added[1]!) ? undefined : "a new column needs a value";
  const indexed = index.exec(part);
  if (indexed) return !indexed[1] || made.has(indexed[3]!) ? undefined : "a unique index refuses rows";
  const table = (trigger.exec(part)?.[2] ?? insertion.exec(part)?.[1]) as string | undefined;
  if (table !== undefined && made.has(table)) return undefined;
  return "it changes what is there";
}

/** Whether a row that does not name the new column can be inserted. */
function isFilled(part: string): boolean {
  return !/ not null/i.test(part) || / default /i.test(part) || / generated always as /i.test(part);
}

/** Whether rows of tables that were there can be deleted by a version that does not know the reference. */
function keepsDeletions(part: string, made: ReadonlySet<string>): boolean {
  const references = part.split(/ references /i).slice(1);
  return references.every((reference) => {
    const [target = ""] = /\w+/.exec(reference) ?? [];
    return made.has(target) || /^[^,]* on delete (cascade|set null)/i.test(reference);
  });
}
