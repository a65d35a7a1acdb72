// Class of the Python client: one method per operation, named by its operationId in snake_case.
import { type Api, isStream, type Operation, type Parameter } from "../api.ts";
import { pascal, pythonName, snake } from "../names.ts";
import { docstring, type Records } from "./records.ts";

/** The table of operations, and the class. */
export function writeClass({ operations }: Api, records: Records): string {
  return `class Torus(_Transport):
    """A server: one method per operation of its API."""

${operations.map((operation) => writeMethod(operation, records)).join("\n\n")}


_OPERATIONS: Dict[str, _Operation] = {
${operations.map(writeOperation).join("\n")}
}
`;
}

/** Exceptions by code, as `NotFound`. */
export function writeErrors({ codes }: Api): string {
  const classes = codes.map((code) => `class ${pascal(code)}(TorusError):\n    """Code \`${code}\`."""`);
  const table = codes.map((code) => `    ${JSON.stringify(code)}: ${pascal(code)},`);
  return `${classes.join("\n\n\n")}\n\n\n_ERRORS: Dict[str, Type[TorusError]] = {\n${table.join("\n")}\n}`;
}

function writeOperation({ id, method, path, parameters, body, repeatable }: Operation): string {
  const dict = (place: Parameter["in"]) => {
    const pairs = parameters.filter((one) => one.in === place);
    return `{${pairs.map(({ key, name }) => `${JSON.stringify(key)}: ${JSON.stringify(name)}`).join(", ")}}`;
  };
  const type = body ? JSON.stringify(body.type) : "None";
  const flag = repeatable ? "True" : "False";
  return `    "${snake(id)}": _Operation("${method}", "${path}", ${dict("query")}, ${dict("header")}, ${type}, ${flag}),`;
}

function writeMethod(operation: Operation, records: Records): string {
  const { id, method, path, description } = operation;
  const name = snake(id);
  const head = `    def ${name}(${writeParameters(operation, records)}) -> ${returned(operation, records)}:`;
  const about = [
    docstring(`${description}. \`${method} ${path}\``),
    ...operation.parameters
      .filter((one) => one.description)
      .map((one) => `\`${argument(one)}\`: ${docstring(one.description)}`),
  ];
  const doc = `        """${about.join("\n\n        ")}${about.length > 1 ? "\n        " : ""}"""`;
  return [head, doc, ...writeCall(operation, name).map((line) => `        ${line}`)].join("\n");
}

function argument({ key }: Parameter): string {
  return pythonName(key);
}

const besidePath = ({ parameters }: Operation) => parameters.filter((one) => one.in !== "path");

/** Media types that `Accept` chooses from; with a parameter `format`, that one chooses. */
function hasAccept({ answers, parameters }: Operation): boolean {
  return answers.length > 1 && !parameters.some(({ name }) => name === "format");
}

function writeParameters(operation: Operation, records: Records): string {
  const { id, parameters, body } = operation;
  const path = parameters
    .filter((one) => one.in === "path")
    .map((one) => `${argument(one)}: ${one.key === "names" ? "Names" : "str"}`);
  const sent = body && `${bodyType(operation, records)}`;
  const bodies = body ? [body.required ? `body: ${sent}` : `body: Optional[${sent}] = None`] : [];
  const options = besidePath(operation).map((one) => {
    const type = records.annotate(one.shape, `${pascal(id)}${pascal(one.key)}`);
    return one.required ? `${argument(one)}: ${type}` : `${argument(one)}: Optional[${type}] = None`;
  });
  const accept = hasAccept(operation) && !isStream(operation) ? ["accept: Optional[str] = None"] : [];
  const named = [...options, ...accept, "headers: Optional[Mapping[str, str]] = None"];
  return ["self", ...path, ...bodies, "*", ...named].join(", ");
}

/** Records may be mappings, which are sent as they are. */
function bodyType({ id, body }: Operation, records: Records): string {
  const { type, shape } = body!;
  if (!type.includes("json"))
    return type.startsWith("text/") || type.includes("urlencoded") ? "str" : "bytes";
  const annotated = records.annotate(shape, `${pascal(id)}Body`);
  const isList = shape.kind === "list";
  return isList
    ? `Sequence[Union[${annotated.slice("List[".length, -1)}, Mapping[str, Any]]]`
    : `Union[${annotated}, Mapping[str, Any]]`;
}

function returned(operation: Operation, records: Records): string {
  const { id, answers, mayBeEmpty } = operation;
  const types = answers.map(({ type, shape }) => {
    if (type.includes("json")) return records.annotate(shape, `${pascal(id)}Answer`);
    return type.startsWith("text/") ? "str" : "bytes";
  });
  if (isStream(operation)) return types[0]!.replace(/^List/, "Iterator");
  const all = [...new Set([...types, ...(mayBeEmpty ? ["None"] : [])])];
  return all.length === 1 ? all[0]! : `Union[${all.join(", ")}]`;
}

function writeCall(operation: Operation, name: string): string[] {
  const path = operation.parameters.filter((one) => one.in === "path");
  const options = dict(besidePath(operation));
  if (isStream(operation)) return [`return self._events("${name}", ${options}, headers)`];
  const parts = [
    `"${name}"`,
    dict(path),
    ...(operation.body ? ["body"] : []),
    ...(options === "{}" ? [] : [`options=${options}`]),
    ...(hasAccept(operation) ? ["accept=accept"] : []),
    "headers=headers",
  ];
  return [`return self._call(${parts.join(", ")})`];
}

function dict(parameters: readonly Parameter[]): string {
  return `{${parameters.map((one) => `${JSON.stringify(one.key)}: ${argument(one)}`).join(", ")}}`;
}
