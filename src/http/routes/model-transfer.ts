// Routes of model export and import.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { optional } from "../../core/input/optional.ts";
import { ModelBundle } from "../../resources/models/bundle.ts";
import { created } from "../framework/answer.ts";
import type { AppDeps } from "../framework/deps.ts";
import { createInstance, documented } from "../framework/elysia.ts";
import { readName } from "../framework/names.ts";
import { Created } from "../framework/noun-routes.ts";
import { commonQuery, pathNames, query } from "../framework/params.ts";

const exportParameters = {
  ...commonQuery,
  format: Type.Optional(
    Type.Union([Type.Literal("onnx"), Type.Literal("bundle")], {
      description: "onnx: a network for any ONNX runtime; bundle: the model for another server",
      default: "onnx",
    }),
  ),
  version: optional.text("Version, as in 01; default: the active one"),
  feature: optional.text("Feature of the network, for onnx and models with several features"),
};
const importParameters = {
  ...commonQuery,
  name: optional.text("Name of the model; default: the one in the bundle"),
};
const tags = ["models"];

/** Routes of export and import. */
export function createModelTransferRoutes({ modelTransfer }: Pick<AppDeps, "modelTransfer">) {
  return createInstance()
    .get(
      "/models/:names/_export",
      async ({ params, query }) => {
        const name = readName(params.names);
        const { format = "onnx" } = query;
        if (format === "bundle") return modelTransfer.exportBundle(name, query);
        if (format !== "onnx") throw invalid("format", "must be onnx or bundle");
        return toFile(await modelTransfer.exportNetwork(name, query));
      },
      {
        params: pathNames("Model name"),
        query: query(exportParameters),
        response: documented(Type.String({ contentMediaType: "application/octet-stream" })),
        detail: {
          scope: "read",
          summary: "Export a trained network as an ONNX file, or the model as a bundle",
          description: "With format=bundle the answer is JSON for POST /models/_import, without hooks.",
          media: { "application/json": ModelBundle },
          tags,
        },
      },
    )
    .post("/models/_import", ({ query, body }) => modelTransfer.importBundle(body, query).then(created), {
      query: query(importParameters),
      body: documented(ModelBundle),
      response: Created,
      detail: {
        scope: "admin",
        summary: "Create a trained model from a bundle",
        description:
          "The body is the answer of GET /models/<model>/_export?format=bundle; the example has no valid weights.",
        conflict: "A model of this name exists",
        tags,
      },
    });
}

/** Names of models and features hold no quote and no backslash: the header needs no escapes. */
function toFile({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): Response {
  return new Response(bytes, {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
