// Commands backup, export-model and import-model.
import { type Client, pathOf } from "../client/client.ts";
import { type Context, defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { checkTarget, readDocument, writeWhole } from "../input/files.ts";
import { answerDone } from "../output/present.ts";
import { formatBytes } from "../terminal/format.ts";
import { openProgress } from "../work/follow-job.ts";

const FILE_MODE_NOTE = "The file is written atomically and readable only by its owner.";

/** Streams an answer to a file, with progress. @returns bytes written */
async function download(context: Context, file: string, call: () => Promise<Response>): Promise<number> {
  checkTarget(file);
  const response = await call();
  const line = openProgress(context, "download");
  const length = Number(response.headers.get("content-length") ?? Number.NaN);
  try {
    return await writeWhole(file, response.body as unknown as AsyncIterable<Uint8Array>, {
      signal: context.signal,
      onProgress: (bytes) =>
        line.update({ note: formatBytes(bytes), ...(length > 0 && { share: bytes / length }) }),
    });
  } finally {
    line.end();
  }
}

const backup = defineCommand({
  name: "backup",
  group: "administration",
  summary: "Write a backup of the server's state to a file",
  details: [
    FILE_MODE_NOTE,
    "A tar archive of the data directory, without the key file of the secrets: store that separately.",
  ],
  arguments: { file: { description: "File to write" } },
  examples: [["torus backup torus.tar", "while the server is running"]],
  async run(context, { arguments: { file } }) {
    const bytes = await download(context, file, () => context.client.open("GET /_backup"));
    answerDone(context, { file, bytes }, `wrote ${formatBytes(bytes)} to ${file}`);
  },
});

const exportModel = defineCommand({
  name: "export-model",
  group: "administration",
  summary: "Export a trained model to a file, for import-model or as ONNX",
  details: [FILE_MODE_NOTE],
  arguments: { model: { description: "Model name" }, file: { description: "File to write" } },
  options: {
    onnx: { description: "As an .onnx file for any ONNX runtime, instead of a bundle for import-model" },
    feature: { value: "NAME", description: "Feature to export as ONNX, if there are several" },
    version: { short: "v", value: "NAME", description: "Version, as in 01; default: the active one" },
  },
  examples: [
    ["torus export-model trips trips.json", "then torus import-model trips.json -A http://other:8077"],
    ["torus export-model trips trips.onnx --onnx", "the network alone"],
  ],
  async run(context, { arguments: { model, file }, options: { onnx, feature, version } }) {
    const query = definedOnly({ format: onnx ? undefined : "bundle", feature, version });
    const path = `GET ${pathOf("models", [model])}/_export`;
    const bytes = await download(context, file, () => context.client.open(path, { query }));
    answerDone(context, { file, bytes }, `wrote ${model} to ${file}, ${formatBytes(bytes)}`);
  },
});

const importModel = defineCommand({
  name: "import-model",
  group: "administration",
  summary: "Create a model from a file of export-model",
  arguments: { file: { description: "File to read; - reads standard input" } },
  options: { name: { value: "NAME", description: "Name of the model; overrides that in the file" } },
  examples: [["torus import-model trips.json --name trips2", "with its training"]],
  async run(context, { arguments: { file }, options: { name } }) {
    const body = await readDocument(file, context.terminal);
    const answer = await importBundle(context.client, body, name);
    answerDone(context, answer, `imported ${name ?? file}`);
  },
});

function importBundle(client: Client, body: unknown, name: string | undefined): Promise<unknown> {
  return client.call("POST /models/_import", { query: definedOnly({ name }), body, status: 201 });
}

export const transferCommands = [backup, exportModel, importModel];
