// Texts of the clients from small API documents: names, optional fields, unions, keywords; and their packages.
import { expect, test } from "bun:test";
import { readApi } from "../../.ci/clients/api.ts";
import { parameterName, pascal, pythonName, snake } from "../../.ci/clients/names.ts";
import { writeModule } from "../../.ci/clients/python/module.ts";
import { packWheel } from "../../.ci/clients/python/wheel.ts";
import { toShape } from "../../.ci/clients/shapes.ts";
import { packTypescript } from "../../.ci/clients/typescript/package.ts";
import { typeOf, writeTypes } from "../../.ci/clients/typescript/types.ts";
import { packZip } from "../../.ci/clients/zip.ts";
import type { ApiDocument, ApiOperation, JsonSchema } from "../../src/http/docs/openapi-document.ts";
import { temporaryFolder } from "../support/folder.ts";
import { compileClient, hasPython, readOwnApi, startPython, writePythonClient } from "./generated.ts";

/** A document of one operation and the given schemas. */
function makeDocument(
  operation: Partial<ApiOperation>,
  schemas: Readonly<Record<string, JsonSchema>> = {},
): ApiDocument {
  const whole = {
    operationId: "getThings",
    summary: "Get things",
    tags: [],
    security: [],
    parameters: [],
    responses: {},
    ...operation,
  };
  return {
    openapi: "3.1.0",
    info: { title: "Test", version: "1.2.3", description: "" },
    servers: [],
    tags: [],
    paths: { "/things/{names}": { get: whole } },
    components: { schemas, securitySchemes: {}, responses: {} },
  };
}

const span: JsonSchema = {
  type: "object",
  required: ["from", "kind"],
  properties: {
    from: { type: "number", description: "Start */ in seconds" },
    to: { anyOf: [{ type: "number" }, { type: "null" }] },
    kind: { anyOf: [{ const: "a" }, { const: "b" }] },
    "x-y": { type: "array", items: { anyOf: [{ type: "string" }, { type: "integer" }] } },
    password: { type: "string", writeOnly: true },
    inner: { type: "object", required: ["on"], properties: { on: { type: "boolean" } } },
  },
};

test.each([
  ["not_found", "NotFound", "not_found", "not_found", "not_found"],
  ["listJobs", "ListJobs", "list_jobs", "listJobs", "listJobs"],
  ["writeLinesV2", "WriteLinesV2", "write_lines_v2", "writeLinesV2", "writeLinesV2"],
  ["If-Match", "IfMatch", "if_match", "if_match", "If_Match"],
  ["match[]", "Match", "match", "match", "match_"],
  ["from", "From", "from", "from", "from_"],
  ["6h", "6h", "6h", "6h", "_6h"],
])("%s is %s, %s, %s and %s", (name, type, method, parameter, python) => {
  const made = [pascal(name), snake(name), parameterName(name), pythonName(name)];
  expect(made).toEqual([type, method, parameter, python]);
});

test.each<[JsonSchema, string]>([
  [{}, "unknown"],
  [{ type: "integer", minimum: 0 }, "number"],
  [{ const: "success", type: "string" }, '"success"'],
  [
    { anyOf: [{ $ref: "#/components/schemas/A" }, { anyOf: [{ type: "null" }, { type: "null" }] }] },
    "A | null",
  ],
  [{ type: "array", items: { anyOf: [{ type: "string" }, { type: "null" }] } }, "readonly (string | null)[]"],
  [{ type: "object", additionalProperties: { type: "number" } }, "{ readonly [key: string]: number }"],
  [{ type: "object", additionalProperties: false }, "Readonly<Record<string, never>>"],
])("%j is %s in TypeScript", (schema, wanted) => {
  expect(typeOf(toShape(schema))).toBe(wanted);
});

test("a schema without a type is refused", () => {
  expect(() => toShape({ allOf: [] })).toThrow('clients have no type for {"allOf":[]}');
});

test("a schema is an interface; secrets, which answers lack, are optional", () => {
  const text = writeTypes(
    readApi(makeDocument({}, { Span: { ...span, required: ["from", "kind", "password"] } })),
  );
  expect(text).toContain(`export interface Span {
  /** Start *\\/ in seconds */
  readonly from: number;
  readonly to?: number | null;
  readonly kind: "a" | "b";
  readonly "x-y"?: readonly (string | number)[];
  readonly password?: string;
  readonly inner?: {
    readonly on: boolean;
  };
}`);
});

test("a schema is a dataclass, objects in it are others", () => {
  const text = writeModule(readApi(makeDocument({}, { Span: span })));
  expect(text).toContain(`class Span(Record):
    """An object of the API."""

    _names: ClassVar[Dict[str, str]] = {"from_": "from", "x_y": "x-y"}
    from_: float  # Start */ in seconds
    kind: Literal["a", "b"]
    to: Optional[Union[float, None]] = None
    x_y: Optional[List[Union[str, int]]] = None
    password: Optional[str] = None
    inner: Optional[SpanInner] = None
    extra: Dict[str, Any] = dataclasses.field(default_factory=dict)`);
  expect(text).toContain("class SpanInner(Record):");
});

test("parameters that the body has are not in the query, too", () => {
  const parameter = (name: string) => ({
    name,
    in: "query" as const,
    required: false,
    schema: { type: "string" },
  });
  const content = { "application/json": { schema: { type: "object", properties: { from: {} } } } };
  const parameters = [parameter("from"), parameter("series"), parameter("pretty")];
  const { operations } = readApi(makeDocument({ parameters, requestBody: { required: false, content } }));
  expect(operations[0]!.parameters.map(({ name }) => name)).toEqual(["series"]);
});

test("two parameters of one name are refused", () => {
  const parameters = ["a-b", "a_b"].map((name) => ({
    name,
    in: "query" as const,
    required: false,
    schema: { type: "string" },
  }));
  expect(() => readApi(makeDocument({ parameters }))).toThrow("getThings has two parameters of one name");
});

test("types tell whole answers from sparse ones, media types and errors apart", async () => {
  const api = await readOwnApi();
  const uses = `import { type Model, type ModelFields, type Prediction, type FleetPrediction, Torus, TorusError } from "./index.js";
export async function use(torus: Torus): Promise<void> {
  const whole: readonly Model[] = await torus.listModels();
  const sparse: readonly Model[] | readonly ModelFields[] = await torus.listModels({ fields: "live" });
  // @ts-expect-error sparse entries are no models
  const wrong: readonly Model[] = await torus.listModels({ fields: "live" });
  const csv: string = await torus.evaluateModel("load", {}, { accept: "text/csv" });
  const arrow: Uint8Array = await torus.evaluateModel("load", {}, { accept: "application/vnd.apache.arrow.stream" });
  const json: Prediction | FleetPrediction | string = await torus.evaluateModel("load", {});
  // @ts-expect-error there is no such code
  if (new TorusError("not_found", "", 404).code === "nowhere") throw new Error();
  // @ts-expect-error a bucket has a type
  await torus.putBucket({ name: "metrics" });
  void [whole, sparse, wrong, csv, arrow, json];
}
`;
  expect(await compileClient(api, { "src/uses.ts": uses })).toEndWith("dist");
});

const python = test.skipIf(!hasPython());
const evaluate = `import json, sys, torus_client as t
for line in sys.stdin:
    print(json.dumps(eval(json.loads(line)["py"])), flush=True)
`;

python("answers become records, what is unknown stays", async () => {
  const { ask, stop } = startPython(
    writePythonClient(await readOwnApi(), { "pandas.py": FAKE_PANDAS }),
    evaluate,
  );
  const value = async (py: string) => JSON.parse(await ask({ py })) as unknown;
  const bucket = (json: string) => `t._decode(t._hints(t.Torus.list_buckets)["return"], [${json}])[0]`;
  const change =
    '{"id": "a", "at": 1, "kind": "deploy", "title": "t", "tags": {}, "created_timestamp": 2, "new": [1]}';
  expect(await value(`t._decode(t.Change, ${change}).extra`)).toEqual({ new: [1] });
  expect(await value(`t._decode(t.Change, {"id": "a"}).title`)).toBeNull();
  expect(await value(`t.to_json(t._decode(t.Change, ${change})) == ${change}`)).toBe(true);
  expect(await value(`type(${bucket('{"type": "csv", "name": "a"}')}).__name__`)).toBe("dict");
  expect(await value(`type(${bucket('{"type": "local", "name": "a"}')}).__name__`)).toBe("BucketLocal");
  expect(await value(bucket('{"type": "of_tomorrow"}'))).toEqual({ type: "of_tomorrow" });
  expect(await value('t.to_json(t.ForecastParameters(from_="now", to="now+1d"))')).toEqual({
    from: "now",
    to: "now+1d",
  });
  expect(await value('t.to_json({"from": None})')).toEqual({ from: null });
  expect(await value('repr(t.Torus("http://localhost", "secret"))')).toBe("Torus('http://localhost')");
  const forecast = 't.Forecast([0.0, 60.0], {}, {"load": [1.0, 2.0], "lower_load": [0.5, 1.5]})';
  expect(await value(`t.to_frame(${forecast}).told`)).toEqual([
    { predicted_load: [1, 2], predicted_lower_load: [0.5, 1.5] },
    [0, 60],
  ]);
  await stop();
});

/** Records what it is given. */
const FAKE_PANDAS = `class DataFrame:
    def __init__(self, columns, index):
        self.told = [columns, index]

def to_datetime(times, unit, utc):
    return times
`;

python("without pandas to_frame says what it needs; text that is no address is refused", async () => {
  const script = `import sys, torus_client as t
sys.modules["pandas"] = None
def refused(call):
    try:
        call()
    except (ImportError, TypeError, ValueError) as error:
        return type(error).__name__ + ": " + str(error)
for _ in sys.stdin:
    print(refused(lambda: t.to_frame({})), refused(lambda: t.Torus("http://u:p@a")), refused(lambda: t.Torus("http://a", "b c")), sep="|", flush=True)
`;
  const { ask, stop } = startPython(writePythonClient(await readOwnApi()), script);
  expect((await ask({})).split("|")).toEqual([
    "ImportError: to_frame needs pandas: pip install pandas",
    "ValueError: url must be http:// or https://, without user and password: give a token",
    "ValueError: token must be of visible ASCII characters",
  ]);
  await stop();
});

test("the packages have the version of the API, and are the same each time", async () => {
  const api = await readOwnApi();
  const pack = async () => {
    const [out, work] = [temporaryFolder(), temporaryFolder()];
    const target = { out, work, releasedAt: 1_769_860_800 };
    return [await packTypescript(api, target), await packWheel(api, target)];
  };
  const [first, second] = [await pack(), await pack()];
  const names = [`torus-client-${api.version}.tgz`, `torus_client-${api.version}-py3-none-any.whl`];
  expect(first.map((path) => path.slice(path.lastIndexOf("/") + 1))).toEqual(names);
  for (const [i, path] of first.entries())
    expect(Buffer.from(await Bun.file(path).bytes()).equals(await Bun.file(second[i]!).bytes())).toBe(true);
});

python("Python reads the wheel: the archive, the hashes of its record, the module", async () => {
  const out = temporaryFolder();
  const wheel = await packWheel(await readOwnApi(), { out, releasedAt: 0 });
  const script = `import base64, csv, hashlib, json, sys, zipfile
archive = zipfile.ZipFile(${JSON.stringify(wheel)})
assert archive.testzip() is None
record = next(name for name in archive.namelist() if name.endswith("RECORD"))
listed = list(csv.reader(archive.read(record).decode().splitlines()))
for name, digest, size in listed[:-1]:
    found = base64.urlsafe_b64encode(hashlib.sha256(archive.read(name)).digest()).rstrip(b"=").decode()
    assert (digest, size) == ("sha256=" + found, str(len(archive.read(name)))), name
sys.path.insert(0, ${JSON.stringify(wheel)})
import torus_client
for _ in sys.stdin:
    print(json.dumps([len(listed) == len(archive.namelist()), torus_client.__version__]), flush=True)
`;
  const { ask, stop } = startPython(out, script);
  expect(JSON.parse(await ask({}))).toEqual([true, (await readOwnApi()).version]);
  await stop();
});

test("times before 1980 are those of 1980 in archives", () => {
  const zip = packZip([{ name: "a", bytes: Buffer.from("text") }], 0);
  expect(Buffer.from(zip).readUInt16LE(12)).toBe((1 << 5) | 1);
});
