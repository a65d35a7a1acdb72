// docs/clients.md: its programs fit the clients of these sources.
import { expect, test } from "bun:test";
import { type Api, readApi } from "../../.ci/clients/api.ts";
import { listPages, readBlocks } from "../docs/pages.ts";
import { startFake } from "./fake-server.ts";
import { compileClient, hasPython, readDocument, startPython, writePythonClient } from "./generated.ts";

const { text } = listPages().find(({ path }) => path === "docs/clients.md")!;
const api: Api = readApi(await readDocument());

/** The blocks of a language as one program. */
function programIn(language: string): string {
  return readBlocks(text)
    .filter((block) => block.language === language)
    .map((block) => block.text)
    .join("\n");
}

test("the programs in TypeScript compile, strictly", async () => {
  const program = programIn("ts").replace('"torus-client"', '"./index.js"');
  expect(program).toContain("followEvents");
  expect(await compileClient(api, { "src/page.ts": program })).toEndWith("dist");
});

test.skipIf(!hasPython())("the programs in Python run", async () => {
  const event = { id: "1", event: "anomaly", data: { model: "load", id: "a", change: "start" } };
  const answers: Readonly<Record<string, object>> = {
    "/models": [{ settings: { name: "load" }, state: { trained: true } }],
    "/models/load/_forecast": { timestamps: [], observed: {}, predicted: {} },
    "/models/load/_train": ["a"],
    "/jobs": [{ id: "a" }],
    "/events": [event],
  };
  await using server = startFake((request) => {
    const { pathname } = new URL(request.url);
    if (!pathname.endsWith("_start")) return Response.json(answers[pathname]);
    return Response.json({ code: "not_trained", detail: "train it" }, { status: 400 });
  });
  const program = programIn("python").replace("http://localhost:8077", server.url);
  const script = `import contextlib, io, json, sys
for line in sys.stdin:
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(json.loads(line)["program"], {})
    print(json.dumps(printed.getvalue()), flush=True)
`;
  const { ask, stop } = startPython(writePythonClient(api), script);
  expect(JSON.parse(await ask({ program }))).toBe("load True\n1\nload start\n");
  expect(server.seen.map(({ target }) => target)).toContain("/models/load/_train");
  await stop();
});
