// Routes of InfluxDB's write API, to the extent that Telegraf needs them.
import { Type } from "@sinclair/typebox";
import { StatementResults } from "../../../api/problem.ts";
import { invalid, TorusError } from "../../../core/errors.ts";
import { needed, optional } from "../../../core/input/optional.ts";
import type { AppDeps } from "../../framework/deps.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { lineDialect, versionHeader } from "../../framework/line-dialect.ts";
import { NoContent } from "../../framework/noun-routes.ts";
import { query } from "../../framework/params.ts";

const tags = ["line protocol"];
const Body = documented<string>(
  needed(
    Type.String({
      description: "Line protocol: `measurement,tag=value field=1 1769860800000000000`; gzip too",
    }),
  ),
);
const precision = optional.text("Unit of the times: ns (default), us, ms or s; version 1 also n, u, m, h");
const about =
  "Invalid lines, lines that are not UTF-8, lines with more than 10 000 fields, and points older than the bucket's `retention` are refused; the " +
  "others are written, and the answer is a 400 that begins with `partial write`. Times are stored in milliseconds, " +
  "rounded down: of several values of a field of a series within one, the last one written stays; add a tag to keep " +
  "them apart. " +
  "Version 1 sends the token's name and the token as `u` and `p` or as basic authentication, version 2 " +
  "`Authorization: Token <token>`.";

const written = () => new Response(null, { status: 204, headers: versionHeader });

/** Routes of line protocol. */
export function createLineRoutes({ lines, buckets }: Pick<AppDeps, "lines" | "buckets">) {
  /** Clients of InfluxDB recognise a missing bucket by "database not found" or "bucket not found". */
  async function write(
    bucket: string | undefined,
    input: { texts: string[]; unit: string | undefined; missing: string },
  ) {
    const { texts, unit, missing } = input;
    if (!bucket) throw invalid("", `${missing} is required`);
    try {
      await lines.write({ bucket, texts, precision: unit || undefined });
    } catch (error) {
      if (!(error instanceof TorusError) || error.code !== "not_found") throw error;
      throw new TorusError("not_found", `${missing} not found: "${bucket.slice(0, 256)}"`);
    }
    return written();
  }

  return createInstance()
    .post(
      "/write",
      ({ query, body }) =>
        write(query.db, { texts: toTexts(body), unit: query.precision, missing: "database" }),
      {
        query: query({ db: Type.String({ description: "Name of the bucket" }), precision }),
        body: Body,
        response: NoContent,
        detail: {
          scope: "run",
          summary: "Write line protocol, as to InfluxDB 1",
          description: about,
          idempotent: true,
          dialect: lineDialect,
          tags,
        },
      },
    )
    .post(
      "/api/v2/write",
      ({ query, body }) => {
        // `database/retention policy` is how clients of version 2 name a bucket of version 1.
        const bucket = query.bucket?.split("/")[0];
        return write(bucket, { texts: toTexts(body), unit: query.precision, missing: "bucket" });
      },
      {
        query: query({ bucket: Type.String({ description: "Name of the bucket" }), precision }),
        body: Body,
        response: NoContent,
        detail: {
          scope: "run",
          summary: "Write line protocol, as to InfluxDB 2",
          description: about,
          idempotent: true,
          dialect: lineDialect,
          tags,
        },
      },
    )
    .use(createHandshakeRoutes(buckets));
}

/** Routes that clients call before they write. */
function createHandshakeRoutes(buckets: AppDeps["buckets"]) {
  const q = optional.text("Statement");
  return createInstance()
    .get("/ping", written, {
      query: query({}),
      response: NoContent,
      detail: {
        scope: "open",
        summary: "Check that lines can be written, as on InfluxDB",
        dialect: lineDialect,
        tags,
      },
    })
    .get("/query", ({ query }) => answerStatement(query.q, buckets), {
      query: query({ q }),
      response: documented(StatementResults),
      detail: {
        scope: "read",
        summary: "Accept CREATE DATABASE without effect, and show buckets as databases",
        dialect: lineDialect,
        tags,
      },
    })
    .post("/query", ({ query, body }) => answerStatement(query.q ?? readForm(body), buckets), {
      query: query({ q }),
      body: documented(Type.String({ description: "A form with `q`" })),
      response: documented(StatementResults),
      detail: {
        scope: "run",
        summary: "Accept CREATE DATABASE without effect, and show buckets as databases",
        dialect: lineDialect,
        tags,
      },
    });
}

async function answerStatement(statement: string | undefined, buckets: AppDeps["buckets"]) {
  if (!statement) throw invalid("", 'missing required parameter "q"');
  if (/^\s*create\s+database\b/i.test(statement)) return { results: [{ statement_id: 0 }] };
  if (!/^\s*show\s+databases\b/i.test(statement))
    throw invalid(
      "",
      "only CREATE DATABASE and SHOW DATABASES are supported: read with POST /buckets/<bucket>/_read",
    );
  const { entries } = await buckets.list();
  const values = (entries as { name: string }[]).map(({ name }) => [name]);
  return { results: [{ statement_id: 0, series: [{ name: "databases", columns: ["name"], values }] }] };
}

function readForm(body: unknown): string | undefined {
  return new URLSearchParams(toTexts(body).join("")).get("q") ?? undefined;
}

/** As the dialect reads them. */
function toTexts(body: unknown): string[] {
  return Array.isArray(body) ? body : [];
}
