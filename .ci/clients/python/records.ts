// Records of the Python client: a dataclass per object of the API, with a name of its own for each that has none.
import type { Api, Schema } from "../api.ts";
import { pascal, pythonName } from "../names.ts";
import type { Field, ObjectShape, Shape } from "../shapes.ts";

interface NamedRecord {
  readonly name: string;
  readonly shape: ObjectShape;
  readonly description: string;
}

/** Dataclasses, and after them the unions and other types that have a name. */
export class Records {
  readonly #records: NamedRecord[] = [];
  readonly #aliases: string[] = [];
  readonly #names: Set<string>;

  constructor({ schemas }: Api) {
    this.#names = new Set(schemas.map(({ name }) => name));
    for (const schema of schemas) this.#addSchema(schema);
  }

  /** A type as an annotation. @param name of an object within it that has none */
  annotate(shape: Shape, name: string): string {
    switch (shape.kind) {
      case "any":
        return "Any";
      case "string":
        return "str";
      case "number":
        return "float";
      case "integer":
        return "int";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "literal":
        return `Literal[${pythonLiteral(shape.value)}]`;
      case "ref":
        return shape.name;
      case "list":
        return `List[${this.annotate(shape.items, name)}]`;
      case "map":
        return `Dict[str, ${this.annotate(shape.values, name)}]`;
      case "object":
        return this.#add({ name, shape, description: "" });
      case "union":
        return this.#annotateUnion(shape.members, name);
    }
  }

  /** All dataclasses and types. To be called last: annotations of methods add some. */
  write(): string {
    // Fields of a record add records in turn.
    const classes: string[] = [];
    for (let i = 0; i < this.#records.length; i++) classes.push(this.#writeRecord(this.#records[i]!));
    return [...classes, this.#aliases.join("\n")].join("\n\n\n");
  }

  #addSchema({ name, shape, description }: Schema): void {
    if (shape.kind === "object") this.#records.push({ name, shape, description });
    else
      this.#aliases.push(`${name} = ${quoteReferences(this.annotate(shape, `${name}Value`), this.#names)}`);
  }

  /** @returns the name it gets */
  #add(record: NamedRecord): string {
    let name = record.name;
    for (let i = 2; this.#names.has(name); i++) name = `${record.name}${i}`;
    this.#names.add(name);
    this.#records.push({ ...record, name });
    return name;
  }

  #annotateUnion(members: readonly Shape[], name: string): string {
    const literals = members.flatMap((member) =>
      member.kind === "literal" ? [pythonLiteral(member.value)] : [],
    );
    const others = members
      .filter((member) => member.kind !== "literal")
      .map((member) => this.annotate(member, name));
    const parts = [...(literals.length > 0 ? [`Literal[${literals.join(", ")}]`] : []), ...new Set(others)];
    return parts.length === 1 ? parts[0]! : `Union[${parts.join(", ")}]`;
  }

  #writeRecord({ name, shape, description }: NamedRecord): string {
    const fields = [...shape.fields].sort((a, b) => Number(b.required) - Number(a.required));
    const renamed = fields.filter((field) => fieldName(field) !== field.name);
    const names = renamed.map(
      (field) => `${JSON.stringify(fieldName(field))}: ${JSON.stringify(field.name)}`,
    );
    const lines = [
      `"""${docstring(description || "An object of the API.")}"""`,
      "",
      ...(names.length > 0 ? [`_names: ClassVar[Dict[str, str]] = {${names.join(", ")}}`] : []),
      ...fields.map((field) => this.#writeField(field, name)),
      "extra: Dict[str, Any] = dataclasses.field(default_factory=dict)",
    ];
    return `@dataclass\nclass ${name}(Record):\n${lines.map((line) => line && `    ${line}`).join("\n")}`;
  }

  #writeField(field: Field, owner: string): string {
    const type = this.annotate(field.shape, owner + pascal(field.name));
    const declared = field.required ? type : `Optional[${type}] = None`;
    const about = field.description.replace(/\s+/g, " ");
    return `${fieldName(field)}: ${declared}${about ? `  # ${about}` : ""}`;
  }
}

/** `extra` holds the keys without a field. */
function fieldName({ name }: Field): string {
  return name === "extra" ? "extra_" : pythonName(name);
}

/** The text of a docstring. */
export function docstring(text: string): string {
  return text
    .replaceAll("\\", "\\\\")
    .replaceAll('"""', "'''")
    .replace(/"$/, '" ')
    .replace(/\s+/g, " ")
    .trim();
}

function pythonLiteral(value: string | number | boolean): string {
  return typeof value === "boolean" ? (value ? "True" : "False") : JSON.stringify(value);
}

/** In a type that is evaluated at once, names of what may come later are texts. */
function quoteReferences(annotation: string, names: ReadonlySet<string>): string {
  return annotation.replace(/"[^"]*"|\w+/g, (word) => (names.has(word) ? JSON.stringify(word) : word));
}
