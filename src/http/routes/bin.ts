// Routes of the bin: deleted resources, restored or deleted for good.
import { Type } from "@sinclair/typebox";
import { BinEntry, Restored } from "../../api/server/bin.ts";
import { optional } from "../../core/input/optional.ts";
import { principalOf } from "../framework/access.ts";
import { noContent } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readNames } from "../framework/names.ts";
import { NoContent } from "../framework/noun-routes.ts";
import { listParams, listQuery, mergeParams, parameters, pathNames, query } from "../framework/params.ts";

const tags = ["bin"];
const params = pathNames("Ids of entries, separated by `;`");
const { sort: _, ...paging } = listQuery;

const restoreParameters = {
  name: optional.text("Another name, of a single entry"),
};

/** Routes of the bin. */
export function createBinRoutes({ bin, log }: Pick<AppDeps, "bin" | "log">) {
  const record = (msg: string, ids: readonly string[], request: Request) =>
    log.info(msg, { ids, by: principalOf(request).token?.name ?? null });
  return createInstance()
    .get("/bin", ({ query }) => bin.list(listParams(query)), {
      query: query(paging),
      response: documented(Type.Array(BinEntry)),
      detail: {
        scope: "admin",
        summary: "List deleted resources that can be restored, newest first; without a page the newest 100",
        description:
          "Models, buckets, hooks, calendars, templates and scheduled jobs; `server.bin` says how long. Their deletion names " +
          "the entries in the header `Torus-Bin-Id`, up to 50 of them, separated by `;`.",
        tags,
      },
    })
    .post(
      "/bin/:names/_restore",
      async ({ params, query, body, request }) => {
        const ids = readNames(params.names);
        const restored = await bin.restore(ids, mergeParams(query, body));
        record("restored", ids, request);
        return restored;
      },
      {
        params,
        ...parameters("BinRestoreParameters", restoreParameters),
        response: documented(Type.Array(Restored)),
        detail: {
          scope: "admin",
          summary: "Restore deleted resources, all or none",
          description:
            "A model comes back with its versions, hooks, labels and recorded scores, and is live again if it was; a `local` " +
            "bucket with its points.",
          conflict: "The name is taken: delete that resource first, or restore under another `name`",
          tags,
        },
      },
    )
    .delete(
      "/bin/:names",
      async ({ params, request }) => {
        const ids = readNames(params.names);
        await bin.remove(ids);
        record("deleted for good", ids, request);
        return noContent();
      },
      {
        params,
        response: NoContent,
        detail: { scope: "admin", summary: "Delete entries of the bin for good, all or none", tags },
      },
    );
}
