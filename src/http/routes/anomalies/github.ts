// Route of GitHub's webhooks: open, as GitHub sends no token; each is signed with a shared secret.
import { Type } from "@sinclair/typebox";
import { Change } from "../../../api/changes/change.ts";
import { GITHUB_SIGNATURE } from "../../../core/access/github-signature.ts";
import { Answer } from "../../framework/answer.ts";
import { type BodyLimits, checkContentLength, readText } from "../../framework/body.ts";
import type { AppDeps } from "../../framework/deps.ts";
import type { Dialect } from "../../framework/dialect.ts";
import { createInstance, documented } from "../../framework/elysia.ts";
import { jsonCaps, jsonDialect, parseText } from "../../framework/json-dialect.ts";
import { query } from "../../framework/params.ts";

/** Bytes of a body, which anybody may send. */
const MAX_BYTES = 1024 * 1024;
const limit = { bytes: MAX_BYTES, setting: "of a webhook" };

interface SignedBody {
  readonly text: string;
  readonly limits: Pick<BodyLimits, "bodyDepth">;
}

/** The body stays a text until its signature was checked. */
const signedDialect: Dialect = {
  ...jsonDialect,
  checkBody: (request, limits) => {
    jsonDialect.checkBody(request, limits);
    checkContentLength(request, limit);
  },
  parseBody: async ({ body }, limits, take) => ({
    text: body === null ? "" : await readText(body, limit, take),
    limits,
  }),
};

/** Route of GitHub's webhooks. */
export function createGithubRoutes({ changes }: Pick<AppDeps, "changes">) {
  return createInstance().post(
    "/webhooks/github",
    async ({ body, request }) => {
      const { text, limits } = (body ?? { text: "", limits: { bodyDepth: 1 } }) as SignedBody;
      changes.checkGithub(text, request.headers.get(GITHUB_SIGNATURE));
      const sent = await parseText(text, { depth: limits.bodyDepth, values: jsonCaps.values });
      const { views, added } = await changes.record(sent, { shape: "github" });
      return new Answer(added > 0 ? 201 : 200, views);
    },
    {
      query: query(),
      body: documented(
        Type.Object(
          {},
          {
            additionalProperties: true,
            description: "A webhook of GitHub about a deployment, its status or a release",
          },
        ),
      ),
      response: { 200: documented(Type.Array(Change)), 201: documented(Type.Array(Change)) },
      detail: {
        scope: "open",
        dialect: signedDialect,
        summary: "Record changes by signed webhooks of GitHub",
        description:
          "Without a token: `X-Hub-Signature-256` must be the HMAC-SHA256 of the body with `server.github_secret`. Without " +
          "this setting no webhook is taken. As `POST /changes` with `shape=github`.",
        tags: ["changes"],
      },
    },
  );
}
