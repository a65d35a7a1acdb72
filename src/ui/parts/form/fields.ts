// Fields of a form, derived from the JSON Schema of a kind; legacy settings and aliases have none.

/** The part of JSON Schema that kinds use. */
export interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly writeOnly?: boolean;
}

interface FieldBase {
  /** Place in the body, as in errors of the server: `config.from.address`. */
  readonly path: string;
  readonly key: string;
  /** Description of the schema, with code in backticks. */
  readonly help: string;
  readonly isRequired: boolean;
  /** Never shown again; an absent one keeps the stored value. */
  readonly isSecret: boolean;
  /** The default, or an example. */
  readonly hint: string;
  /** Behind a summary while it is not given. */
  readonly isRare?: boolean;
}

export type Field = FieldBase &
  (
    | { readonly kind: "text"; readonly isLong: boolean }
    | { readonly kind: "number"; readonly min?: number | undefined; readonly max?: number | undefined }
    | { readonly kind: "switch"; readonly fallback: boolean }
    | { readonly kind: "choice"; readonly choices: readonly string[] }
    /** Some of a few; `fallback` while none is given. */
    | { readonly kind: "choices"; readonly choices: readonly string[]; readonly fallback: readonly string[] }
    /** One entry per line. */
    | { readonly kind: "list" }
    /** One `key: value` per line. */
    | { readonly kind: "map" }
    /** An object of fields. */
    | { readonly kind: "group"; readonly fields: readonly Field[] }
    /** A list of objects; the paths of `fields` begin with the key. */
    | { readonly kind: "items"; readonly fields: readonly Field[] }
    /** JSON as text. */
    | { readonly kind: "json" }
  );

/** Texts that may be longer are edited in several lines. */
const LONG = 8192;
const notShown = /^(Legacy\b|Same as `)/;

/**
 * Fields of the properties of an object, required ones first.
 * @param base path of the object; empty: the body itself
 * @param without keys that the caller shows by itself
 */
export function fieldsOf(schema: Schema, base = "", without: readonly string[] = []): readonly Field[] {
  const { properties = {}, required = [] } = schema;
  const fields = Object.entries(properties)
    .filter(([key, { description = "" }]) => !without.includes(key) && !notShown.test(description))
    .map(([key, property]) =>
      fieldOf(property, { key, path: base ? `${base}.${key}` : key, isRequired: required.includes(key) }),
    );
  return [
    ...fields.filter(({ isRequired }) => isRequired),
    ...fields.filter(({ isRequired }) => !isRequired),
  ];
}

function fieldOf(schema: Schema, place: Pick<FieldBase, "key" | "path" | "isRequired">): Field {
  const branches = branchesOf(schema).filter(({ type }) => type !== "null");
  // What may be null as well has its description within.
  const { description = "", default: fallback, examples = [] } = { ...schema.anyOf?.[0], ...schema };
  const base: FieldBase = {
    ...place,
    help: description,
    isSecret: schema.writeOnly ?? false,
    hint: textOf(fallback ?? examples[0]),
  };
  const choices = choicesOf(branches);
  if (choices) return { ...base, kind: "choice", choices };
  // Of one object or several, and of one text or several, the list holds both.
  const list = branches.find(({ type }) => type === "array");
  return { ...base, ...shapeOf(list ?? branches[0]!, place) };
}

function branchesOf(schema: Schema): readonly Schema[] {
  return schema.anyOf?.flatMap(branchesOf) ?? [schema];
}

/** The texts among which a schema lets one choose; undefined where it takes anything else. */
function choicesOf(branches: readonly Schema[]): readonly string[] | undefined {
  const isChoice = branches.length > 1 && branches.every((branch) => typeof branch.const === "string");
  return isChoice ? branches.map((branch) => String(branch.const)) : undefined;
}

/** What distinguishes the kinds of fields. */
type Shape = Field extends infer F ? (F extends Field ? Omit<F, keyof FieldBase> : never) : never;

function shapeOf(schema: Schema, { key, path }: Pick<FieldBase, "key" | "path">): Shape {
  const { type, items, properties, patternProperties, minimum, maximum, maxLength = 0 } = schema;
  if (type === "boolean") return { kind: "switch", fallback: schema.default === true };
  if (type === "integer" || type === "number") return { kind: "number", min: minimum, max: maximum };
  if (type === "string") return { kind: "text", isLong: maxLength > LONG };
  const choices = type === "array" ? choicesOf(items?.anyOf ?? []) : undefined;
  if (choices) return { kind: "choices", choices, fallback: textsOf(schema.default) };
  if (type === "array" && items?.type === "object") return { kind: "items", fields: fieldsOf(items, key) };
  if (type === "array" && items?.type === "string") return { kind: "list" };
  if (type === "object" && properties) return { kind: "group", fields: fieldsOf(schema, path) };
  if (type === "object" && patternProperties) return { kind: "map" };
  return { kind: "json" };
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.join("\n");
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** Optional settings beyond this many are shown on demand. */
const FEW = 4;

/** Fields that are shown at once, and those behind a summary, secrets first. */
export function partFields(fields: readonly Field[]): { main: readonly Field[]; more: readonly Field[] } {
  const main = fields.filter(({ isRequired }) => isRequired);
  const optional = fields.filter(({ isRequired }) => !isRequired);
  if (optional.length <= FEW) return { main: fields, more: [] };
  return { main, more: optional.toSorted((a, b) => Number(b.isSecret) - Number(a.isSecret)) };
}
