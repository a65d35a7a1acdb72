// Route of backups: a consistent copy of the state as a tar archive.
import { Type } from "@sinclair/typebox";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { query } from "../framework/params.ts";

/** Routes of backups. */
export function createBackupRoutes({ backup }: Pick<AppDeps, "backup">) {
  return createInstance().get(
    "/_backup",
    async ({ request }) => {
      const { size, stream } = await backup.open();
      // A HEAD reads no body, and an open archive blocks the next backup.
      if (request.method === "HEAD") await stream.cancel();
      return new Response(request.method === "HEAD" ? null : stream, {
        headers: { "content-type": "application/x-tar", "content-length": String(size) },
      });
    },
    {
      query: query({}),
      response: documented(Type.String()),
      detail: {
        scope: "admin",
        summary: "Back up the state of the server as a tar archive",
        description:
          "Consistent, while the server runs. To restore, unpack it into an empty data directory, add the key file of the " +
          "secrets, which it does not contain, and start the server there.",
        tags: ["backup"],
      },
    },
  );
}
