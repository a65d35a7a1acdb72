// ClickHouse engine (package `chdb`) behind its HTTP interface, as a process: it takes over the signals of its process
// for good, which JavaScriptCore ends workers and finds faults of WebAssembly with. Says the port of its control.
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { ClickhouseOptions, ClickhouseRequest } from "./clickhouse.ts";

type Chdb = typeof import("chdb");
type Session = InstanceType<Chdb["Session"]>;

interface Engine extends Pick<Chdb, "Session" | "drainPending"> {
  /** Inserts data as it stands. Behind a statement that goes as text, more than 256 kB are never read to the end. */
  insert(connection: unknown, statement: string, data: Buffer, countLines: boolean): Promise<unknown>;
}

interface Served {
  readonly port: number;
  readonly requests: readonly ClickhouseRequest[];
  run(statements: string): string;
  stop(): Promise<void>;
}

function loadEngine(): Engine {
  const require = createRequire(import.meta.url);
  const { Session, drainPending } = require("chdb") as Chdb;
  const native = require(join(dirname(require.resolve("chdb")), "dist/loader.js")).loadNative();
  return { Session, drainPending, insert: native.InsertRawAsyncConnection };
}

const engine = loadEngine();

/** Serves a folder with a table `default.points` of a time and nothing else. */
function serve(dir: string, options: ClickhouseOptions): Served {
  const own = new engine.Session(dir);
  own.query("CREATE TABLE points (time DateTime64(3, 'UTC')) ENGINE = MergeTree ORDER BY time");
  const requests: ClickhouseRequest[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 60,
    async fetch(request) {
      const body = await request.text();
      const params = new URL(request.url).searchParams;
      requests.push({ statement: params.get("query") ?? body, params: Object.fromEntries(params) });
      const { account } = options;
      if (account !== undefined && request.headers.get("authorization") !== `Basic ${btoa(account)}`)
        return fail(
          "Code: 516. DB::Exception: Authentication failed: password is incorrect. (AUTHENTICATION_FAILED)",
        );
      // A session of its own: settings and parameters hold for one request.
      const session = new engine.Session(dir);
      try {
        prepare(session, options.profile ?? {}, params);
        return await answer({ session, own }, params.get("query"), body);
      } catch (error) {
        return fail((error as Error).message);
      } finally {
        session.close();
      }
    },
  });
  const stop = async () => {
    void server.stop(true);
    own.close();
    await engine.drainPending();
  };
  const run = (statements: string) => own.query(statements, "JSONCompactEachRow");
  return { port: server.port!, requests, run, stop };
}

/** @param query where it is in the URL, the body is its data */
async function answer(
  { session, own }: Record<"session" | "own", Session>,
  query: string | null,
  body: string,
): Promise<Response> {
  if (query !== null) {
    await engine.insert(session.connection, query, Buffer.from(body), false);
    return new Response("");
  }
  refuseSeveral(own, body);
  const result = await session.queryAsync(body, { format: "TabSeparated" });
  return new Response(result.text());
}

/** Parameters of the HTTP interface itself. */
const ofInterface: ReadonlySet<string> = new Set(["query", "database", "wait_end_of_query"]);

/** What a URL says, as the session's own: the database, values of `{name:Type}`, settings. */
function prepare(session: Session, profile: object, params: URLSearchParams): void {
  const database = params.get("database");
  if (database !== null) session.query(`USE ${quoteName(database)}`);
  const settings = [...Object.entries(profile), ...params].filter(([name]) => !ofInterface.has(name));
  // Parameters of statements first: with `readonly` nothing can be set any more.
  const isParameter = ([name]: [string, string]) => name.startsWith("param_");
  for (const [name, value] of [
    ...settings.filter(isParameter),
    ...settings.filter((one) => !isParameter(one)),
  ])
    session.query(`SET ${quoteName(name)} = ${quoteText(value)}`);
}

/** The engine runs several statements, the HTTP interface one. @throws Error with the engine's syntax error */
function refuseSeveral(own: Session, statement: string): void {
  own.query(`SELECT formatQuery(${quoteText(statement)}) FORMAT Null`);
}

function quoteName(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

function quoteText(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** Statuses of errors by their names, as versions 25 and later answer them; all others are 500. */
const statuses: ReadonlyMap<string, number> = new Map(
  (
    [
      [401, "REQUIRED_PASSWORD"],
      [403, "UNKNOWN_USER WRONG_PASSWORD AUTHENTICATION_FAILED SET_NON_GRANTED_ROLE ACCESS_DENIED"],
      [
        400,
        "BAD_ARGUMENTS CANNOT_COMPILE_REGEXP CANNOT_PARSE_TEXT CANNOT_PARSE_ESCAPE_SEQUENCE " +
          "CANNOT_PARSE_QUOTED_STRING CANNOT_PARSE_DATE CANNOT_PARSE_DATETIME CANNOT_PARSE_NUMBER " +
          "CANNOT_PARSE_DOMAIN_VALUE_FROM_STRING CANNOT_PARSE_IPV4 CANNOT_PARSE_IPV6 CANNOT_PARSE_UUID " +
          "CANNOT_PARSE_INPUT_ASSERTION_FAILED DUPLICATE_COLUMN ILLEGAL_COLUMN UNKNOWN_ELEMENT_IN_AST " +
          "UNKNOWN_TYPE_OF_AST_NODE THERE_IS_NO_COLUMN TOO_DEEP_AST TOO_BIG_AST UNEXPECTED_AST_STRUCTURE " +
          "SYNTAX_ERROR INCORRECT_DATA TYPE_MISMATCH VALUE_IS_OUT_OF_RANGE_OF_DATA_TYPE",
      ],
      [
        404,
        "UNKNOWN_TABLE UNKNOWN_FUNCTION UNKNOWN_IDENTIFIER UNKNOWN_TYPE UNKNOWN_STORAGE UNKNOWN_DATABASE " +
          "UNKNOWN_SETTING UNKNOWN_DIRECTION_OF_SORTING UNKNOWN_AGGREGATE_FUNCTION UNKNOWN_FORMAT " +
          "UNKNOWN_DATABASE_ENGINE UNKNOWN_TYPE_OF_QUERY UNKNOWN_ROLE",
      ],
      [408, "TIMEOUT_EXCEEDED"],
      [413, "QUERY_IS_TOO_LARGE"],
      [501, "NOT_IMPLEMENTED"],
      [503, "SOCKET_TIMEOUT CANNOT_OPEN_FILE CANNOT_SCHEDULE_TASK"],
    ] as const
  ).flatMap(([status, names]) => names.split(" ").map((name) => [name, status] as const)),
);

/** An error of the engine as the HTTP interface words it: text, its code in a header. */
function fail(said: string): Response {
  const message = said.slice(Math.max(0, said.indexOf("Code: "))).trim();
  const [, code = "1002"] = /^Code: (\d+)\./.exec(message) ?? [];
  const [, name = ""] = /\(([A-Z][A-Z0-9_]+)\)$/.exec(message) ?? [];
  return new Response(`${message} (version 26.7.2.1 (official build))\n`, {
    status: statuses.get(name) ?? 500,
    headers: { "X-ClickHouse-Exception-Code": code },
  });
}

let served: Served | undefined;

/** What tests ask of it beside the HTTP interface; one folder at a time. */
const control = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  idleTimeout: 0,
  routes: {
    "/serve": async (request) => {
      const { dir, options } = (await request.json()) as { dir: string; options: ClickhouseOptions };
      served = serve(dir, options);
      return Response.json(served.port);
    },
    "/run": async (request) => new Response(served!.run(await request.text())),
    "/requests": () => Response.json(served!.requests),
    "/stop": async () => {
      await served!.stop();
      return new Response("");
    },
  },
  error: ({ message }) => new Response(message, { status: 500 }),
});

console.log(control.port);
// It ends with the process that started it, however that ends.
process.stdin.on("end", () => process.exit()).resume();
