// A stand-in for ClickHouse: its HTTP interface over rows in memory, with the part of its language that is in use.

type Value = number | string | boolean | null;
type Row = ReadonlyMap<string, Value>;

export interface ClickhouseStandIn {
  readonly addr: string;
  /** Adds nullable columns that are missing, of the types of these values. */
  addColumns(values: Readonly<Record<string, unknown>>): void;
  readonly authorizations: (string | null)[];
  /** Puts a row there as no insertion here could, with numbers that are none. */
  putRow(values: Readonly<Record<string, number | string>>): void;
  /** Statements that came with `readonly=1`. */
  readonly readOnly: string[];
  /** Of the table. */
  engine: string;
  stop(): void;
}

/** Starts it on a free port with a table `default.points` of a time and nothing else. */
export function startClickhouse(): ClickhouseStandIn {
  const columns = new Map([["time", "DateTime64(3, 'UTC')"]]);
  const rows: Map<string, Value>[] = [];
  const authorizations: (string | null)[] = [];
  const readOnly: string[] = [];
  const standIn = { engine: "MergeTree" };

  function insert(statement: string, body: string): Response {
    if (statement !== "INSERT INTO `default`.`points` FORMAT JSONEachRow")
      return fail(404, 60, "unknown table");
    const given = body.split("\n").map((line) => new Map<string, Value>(Object.entries(JSON.parse(line))));
    for (const row of given) {
      for (const [name, value] of row) {
        if (!columns.has(name))
          return fail(400, 117, `Unknown field found while parsing JSONEachRow format: ${name}`);
        if (columns.get(name)!.includes("Float64") && typeof value !== "number")
          return fail(400, 27, "Cannot parse input");
      }
    }
    for (const row of given) rows.push(row.set("time", Date.parse(String(row.get("time")))));
    return new Response("");
  }

  function truncate(statement: string): Response {
    if (statement !== "TRUNCATE TABLE `default`.`points`") return fail(404, 60, "unknown table");
    if (standIn.engine !== "Distributed") rows.length = 0;
    return new Response("");
  }

  function select(statement: string, params: URLSearchParams): Response {
    const parameters = (name: string) => unescapeField(params.get(`param_${name}`) ?? "");
    const database = params.get("database") ?? "default";
    if (params.get("readonly") === "1") readOnly.push(statement);
    const parsed = parse(statement, parameters);
    if (parsed.table === "system.columns") {
      const isOurs = parameters("database") === "default" && parameters("table") === "points";
      return Response.json({ data: isOurs ? [...columns] : [] });
    }
    if (parsed.table === "system.tables") {
      const isOurs = parameters("database") === "default" && parameters("table") === "points";
      return Response.json({ data: isOurs ? [[standIn.engine]] : [] });
    }
    if (!isKnown(parsed, database)) return fail(404, 60, "unknown table");
    // As text, as most versions write whole numbers of 64 bits.
    const data = run(parsed, rows).map((row) =>
      row.map((value, i) => (parsed.columns[i]!.isWhole && value !== null ? String(value) : value)),
    );
    return Response.json({ meta: [], data, rows: data.length });
  }

  function isKnown({ table, inner }: Select, database: string): boolean {
    if (inner) return isKnown(inner, database);
    return !table || (table.includes(".") ? table : `${database}.${table}`) === "default.points";
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      const body = await request.text();
      const { searchParams } = new URL(request.url);
      authorizations.push(request.headers.get("authorization"));
      const statement = searchParams.get("query");
      try {
        if (body.startsWith("TRUNCATE ")) return truncate(body);
        return statement ? insert(statement, body) : select(body, searchParams);
      } catch (error) {
        return fail(400, 62, (error as Error).message);
      }
    },
  });
  return Object.assign(standIn, {
    addr: `127.0.0.1:${server.port}`,
    authorizations,
    readOnly,
    putRow: (values: Readonly<Record<string, number | string>>) =>
      void rows.push(new Map(Object.entries(values))),
    addColumns(values: Readonly<Record<string, unknown>>) {
      for (const [name, value] of Object.entries(values)) {
        const type = typeof value === "number" ? "Float64" : typeof value === "boolean" ? "Bool" : "String";
        if (value !== null && !columns.has(name)) columns.set(name, `Nullable(${type})`);
      }
    },
    stop: () => void server.stop(true),
  });
}

function fail(status: number, code: number, message: string): Response {
  return new Response(`Code: ${code}. DB::Exception: ${message}`, { status });
}

function unescapeField(text: string): string {
  return text.replace(/\\(.)/gs, (_, letter) => ({ t: "\t", n: "\n", r: "\r" })[letter as string] ?? letter);
}

/** Evaluates over the rows of a group; a plain row is a group of one. */
type Expression = (group: readonly Row[]) => Value;

interface Select {
  readonly columns: readonly {
    readonly name: string;
    readonly value: Expression;
    readonly isWhole: boolean;
  }[];
  readonly table: string | undefined;
  /** Stands in place of the table. */
  readonly inner: Select | undefined;
  readonly where: Expression | undefined;
  readonly groupBy: string | undefined;
  readonly orderBy: string | undefined;
  readonly limit: number;
  readonly offset: number;
  readonly aggregates: boolean;
}

const aggregates: Readonly<Record<string, (values: readonly Value[]) => Value>> = {
  count: (values) => values.length,
  sum: (values) => add(values as number[]),
  avg: (values) => add(values as number[]) / values.length,
  min: (values) => Math.min(...(values as number[])),
  max: (values) => Math.max(...(values as number[])),
  varSampStable: (values) => varianceOf(values as number[]),
  stddevSampStable: (values) => Math.sqrt(varianceOf(values as number[])),
};

type Scalar = (a: Value, b: Value) => Value;

const functions: Readonly<Record<string, Scalar>> = {
  toUnixTimestamp64Milli: (at) => at,
  toDateTime64: (at) => at,
  fromUnixTimestamp64Milli: (at) => at,
  intDiv: (a, b) => Math.trunc(Number(a) / Number(b)),
  isFinite: (value) => Number.isFinite(value),
  toInt64: (value) => value,
  toStartOfInterval: (at, ms) => Math.floor(Number(at) / Number(ms)) * Number(ms),
  pow: (a, b) => Number(a) ** Number(b),
  toFloat64: (value: Value) => {
    if (value !== null && typeof value !== "number") throw new Error("Illegal type of argument of toFloat64");
    return value;
  },
  toString: (value: Value) => (value === null ? null : String(value)),
  version: () => "24.8.4.13",
};

function add(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}

function varianceOf(values: readonly number[]): number {
  const mean = add(values) / values.length;
  return add(values.map((value) => (value - mean) ** 2)) / (values.length - 1);
}

const token = /\s*(?:`((?:[^`\\]|\\.)*)`|\{(\w+):(\w+)\}|(\d+)|(\w+(?:\.\w+)?)|(>=|[-(),.=<]))/gsy;

/** `%` and `_` stand for others, a backslash takes that away. */
function toLikeExpression(pattern: string): RegExp {
  const parts = pattern.match(/\\.|./gsu) ?? [];
  const source = parts.map((part) =>
    part === "%" ? ".*" : part === "_" ? "." : RegExp.escape(part.at(-1)!),
  );
  return new RegExp(`^${source.join("")}$`, "isu");
}

/** Reads a statement token by token. */
function parse(text: string, parameters: (name: string) => string): Select {
  const statement = text.replace(/--.*\n/g, "");
  const tokens: { kind: string; text: string; type?: string }[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < statement.trimEnd().length) {
    const match = token.exec(statement);
    if (!match) throw new Error("Syntax error");
    const [, quoted, parameter, type, digits, word, sign] = match;
    if (quoted !== undefined) tokens.push({ kind: "name", text: quoted.replace(/\\(.)/gs, "$1") });
    else if (parameter) tokens.push({ kind: "parameter", text: parameters(parameter), type: type! });
    else if (digits) tokens.push({ kind: "number", text: digits });
    else tokens.push({ kind: word ? "word" : "sign", text: word ?? sign! });
  }
  let at = 0;
  let aggregating = false;
  const peek = (text: string) => tokens[at]?.text === text && /word|sign/.test(tokens[at]!.kind);
  const take = (text: string) => peek(text) && Boolean(++at);
  const need = (text: string) => {
    if (!take(text)) throw new Error(`Syntax error: expected ${text}`);
  };

  function operand(): Expression {
    const { kind, text, type } = tokens[at++]!;
    if (kind === "number") return () => Number(text);
    if (kind === "parameter") return () => (type === "String" ? text : Number(text));
    if (kind === "name") return ([row]) => row?.get(text) ?? null;
    if (text === "INTERVAL" && tokens[at]?.kind === "number") {
      const count = Number(tokens[at++]!.text);
      const spanMs = take("SECOND") ? count * 1000 : count;
      if (spanMs === count) need("MILLISECOND");
      return () => spanMs;
    }
    if (!take("(")) return ([row]) => row?.get(text) ?? null;
    const values: Expression[] = [];
    while (!take(")")) {
      values.push(expression());
      take(",");
    }
    if (Object.hasOwn(aggregates, text)) {
      aggregating = true;
      return (group) => aggregates[text]!(group.map((row) => (values[0] ? values[0]([row]) : 1)));
    }
    const call = functions[text];
    if (!call) throw new Error(`Unknown function ${text}`);
    return (group) => call(values[0]?.(group) ?? null, values[1]?.(group) ?? null);
  }

  function expression(): Expression {
    const left = operand();
    if (take("-")) {
      const right = operand();
      return (group) => (left(group) as number) - (right(group) as number);
    }
    if (take("IS")) {
      need("NOT");
      need("NULL");
      return (group) => left(group) !== null;
    }
    if (take("ILIKE")) {
      const pattern = operand();
      return (group) => toLikeExpression(String(pattern(group))).test(String(left(group)));
    }
    for (const sign of [">=", "<", "="]) {
      if (!take(sign)) continue;
      const right = operand();
      return (group) => {
        const [a, b] = [left(group), right(group)] as [number, number];
        return a !== null && (sign === "=" ? a === b : sign === "<" ? a < b : a >= b);
      };
    }
    return left;
  }

  function conjunction(): Expression {
    const parts = [expression()];
    while (take("AND")) parts.push(expression());
    return (group) => parts.every((part) => part(group));
  }

  function select(): Select {
    const outside = aggregating;
    aggregating = false;
    need("SELECT");
    const columns: { name: string; value: Expression; isWhole: boolean }[] = [];
    do {
      const isWhole = /^(intDiv|count|toUnixTimestamp64Milli)$/.test(tokens[at]!.text);
      const value = expression();
      columns.push({ isWhole, value, name: take("AS") ? tokens[at++]!.text : "" });
    } while (take(","));
    const nameOf = () => (take(".") ? `.${tokens[at++]!.text}` : "");
    const isFrom = take("FROM");
    const inner = isFrom && take("(") ? select() : undefined;
    if (inner) need(")");
    const table = isFrom && !inner ? tokens[at++]!.text + nameOf() : undefined;
    const where = take("WHERE") ? conjunction() : undefined;
    const by = (word: string) => {
      if (!take(word)) return undefined;
      need("BY");
      return tokens[at++]!.text;
    };
    const [groupBy, orderBy] = [by("GROUP"), by("ORDER")];
    const limit = take("LIMIT") ? Number(tokens[at++]!.text) : Infinity;
    const offset = take("OFFSET") ? Number(tokens[at++]!.text) : 0;
    const found = { columns, table, inner, where, groupBy, orderBy, limit, offset, aggregates: aggregating };
    aggregating = outside;
    return found;
  }

  const parsed = select();
  need("FORMAT");
  need("JSONCompact");
  if (at !== tokens.length) throw new Error("Syntax error");
  return parsed;
}

function run(select: Select, rows: readonly Row[]): Value[][] {
  const { columns, where, groupBy, orderBy, limit, offset } = select;
  const source = select.inner ? nameColumns(select.inner, run(select.inner, rows)) : rows;
  const found =
    select.table || select.inner ? source.filter((row) => !where || where([row])) : [new Map() as Row];
  const key = columns.find(({ name }) => name === groupBy)?.value;
  const groups = key
    ? [...Map.groupBy<Value, Row>(found, (row) => key([row])).values()]
    : select.aggregates
      ? [found]
      : found.map((row) => [row]);
  const results = groups.map((group) => columns.map(({ value }) => value(group)));
  const order = columns.findIndex(({ name }) => name === orderBy);
  if (order >= 0)
    results.sort(([...a], [...b]) => (a[order]! < b[order]! ? -1 : a[order]! > b[order]! ? 1 : 0));
  return results.slice(offset, offset + limit);
}

function nameColumns({ columns }: Select, rows: readonly Value[][]): Row[] {
  return rows.map((row) => new Map(columns.map(({ name }, i) => [name, row[i]!])));
}
