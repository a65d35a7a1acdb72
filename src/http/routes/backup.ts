// The route of backups.
import { Type } from "@sinclair/typebox";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";

/** Routes of backups. */
export function createBackupRoutes({ backup }: Pick<AppDeps, "backup">) {
  return createInstance().get(
    "/_backup",
    async ({ request }) => {
      const { size, stream } = await backup.open();
      // Nobody reads what goes with a HEAD, and an archive that is not read keeps the next one out.
      if (request.method === "HEAD") await stream.cancel();
      return new Response(request.method === "HEAD" ? null : stream, {
        headers: { "content-type": "application/x-tar", "content-length": String(size) },
      });
    },
    {
      response: documented(Type.String()),
      detail: {
        scope: "admin",
        summary: "A copy of everything the server keeps, as a tar archive",
        description:
          "Consistent, taken while the server runs. Unpack it into an empty data directory, add the key file of the " +
          "secrets, which is not in it, and start the server there.",
        tags: ["backup"],
      },
    },
  );
}
