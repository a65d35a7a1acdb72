// Forms from JSON Schema: fields of every kind, drafts read and built, changes, errors at their fields.
import { describe, expect, test } from "bun:test";
import { bucketSchemas } from "../../../../src/buckets/index.ts";
import { hookSchemas } from "../../../../src/hooks/index.ts";
import {
  buildBody,
  changesOf,
  chosenOf,
  type Draft,
  readDraft,
  rebaseDraft,
  removeEntry,
} from "../../../../src/ui/parts/form/draft.ts";
import { placeErrors } from "../../../../src/ui/parts/form/errors.ts";
import { type Field, fieldsOf, partFields, type Schema } from "../../../../src/ui/parts/form/fields.ts";

const schema: Schema = {
  type: "object",
  required: ["addr", "from"],
  properties: {
    unit: { anyOf: [{ const: "s" }, { const: "ms" }], default: "s" },
    limit: { type: "integer", minimum: 1, maximum: 5 },
    verify: { type: "boolean", default: true },
    columns: { type: "array", items: { type: "string" } },
    events: {
      type: "array",
      items: { anyOf: [{ const: "silence" }, { const: "drift" }] },
      default: ["drift"],
    },
    labels: { type: "object", patternProperties: { "^(.*)$": { type: "string" } } },
    timeout: { anyOf: [{ type: "string" }, { type: "number" }], default: "30s" },
    token: { type: "string", writeOnly: true },
    text: { anyOf: [{ type: "string", maxLength: 65_536 }, { type: "null" }] },
    to: {
      anyOf: [
        { type: "object", properties: { address: { type: "string" } } },
        { type: "array", items: { type: "object", properties: { address: { type: "string" } } } },
      ],
    },
    from: { type: "object", properties: { address: { type: "string" }, name: { type: "string" } } },
    addr: { type: "string", examples: ["localhost:8086"] },
    other: {},
    old: { type: "string", description: "Legacy: kept" },
    alias: { type: "string", description: "Same as `token`" },
  },
};
const fields = fieldsOf(schema, "config");
const field = (key: string) => fields.find((each) => each.key === key)!;
const items = field("to") as Field & { kind: "items" };

const settings = {
  unit: "ms",
  limit: 3,
  verify: false,
  columns: ["a", "b c"],
  events: ["silence", "drift"],
  labels: { team: "ops", "a-b": "x: y" },
  timeout: "1m",
  to: [{ address: "a@b" }, { address: "c@d" }],
  from: { address: "e@f" },
  addr: "h:1",
  other: { deep: [1] },
};

test("required fields come first; legacy ones and aliases have none", () =>
  expect(fields.map(({ key, kind }) => `${key} ${kind}`)).toEqual([
    "from group",
    "addr text",
    "unit choice",
    "limit number",
    "verify switch",
    "columns list",
    "events choices",
    "labels map",
    "timeout text",
    "token text",
    "text text",
    "to items",
    "other json",
  ]));

test("hints are defaults and examples; secrets are marked", () => {
  expect([field("addr").hint, field("timeout").hint, field("verify").hint]).toEqual([
    "localhost:8086",
    "30s",
    "",
  ]);
  expect(fields.filter(({ isSecret }) => isSecret).map(({ path }) => path)).toEqual(["config.token"]);
});

test("many optional fields are behind a summary, few are not", () => {
  expect(partFields(fields).main.map(({ key }) => key)).toEqual(["from", "addr"]);
  expect(partFields(fields).more[0]!.key).toBe("token");
  expect(partFields(fields.slice(0, 5)).more).toEqual([]);
});

test("settings survive the way through a draft", () =>
  expect(buildBody(fields, readDraft(fields, settings))).toEqual(settings));

test("one object of several is a list of one", () =>
  expect(buildBody(fields, readDraft(fields, { to: { address: "a@b" } }))).toEqual({
    from: {},
    to: [{ address: "a@b" }],
  }));

test("what was emptied or not given is absent; a required group is there", () =>
  expect(buildBody(fields, { "config.addr": "  ", "config.columns": "\n \n", "config.to": 0 })).toEqual({
    from: {},
  }));

test("choices begin with their defaults; none of them is sent, for the server to refuse", () => {
  const events = field("events") as Field & { kind: "choices" };
  const chosen = [{}, { "config.events": "silence\ndrift" }, { "config.events": "" }].map((draft) =>
    chosenOf(events, draft),
  );
  expect(chosen).toEqual([["drift"], ["silence", "drift"], []]);
  expect(buildBody([events], {})).toEqual({});
  expect(buildBody([events], { "config.events": "" })).toEqual({ events: [] });
});

test("a required list of objects begins with one entry", () => {
  const required = [{ ...items, isRequired: true }];
  expect(buildBody(required, { "config.to.0.address": "a@b" })).toEqual({ to: [{ address: "a@b" }] });
  expect(buildBody(required, {})).toEqual({ to: [{}] });
});

test("what is no number or no JSON is sent as typed, for the server to refuse", () =>
  expect(buildBody(fields, { "config.limit": "many", "config.other": "{" })).toMatchObject({
    limit: "many",
    other: "{",
  }));

test("a change says what differs, null for what was emptied, nothing of a secret that stays", () => {
  const before = readDraft(fields, settings);
  expect(changesOf(fields, before, before)).toEqual({});
  const after: Draft = { ...before, "config.addr": "h:2", "config.limit": "", "config.token": "t" };
  expect(changesOf(fields, before, after)).toEqual({ addr: "h:2", limit: null, token: "t" });
});

test("own changes are kept on what another writer stored, a list as a whole", () => {
  const before = readDraft(fields, settings);
  const mine = { ...before, "config.addr": "h:2", "config.to.0.address": "x@y" };
  const theirs = readDraft(fields, { ...settings, limit: 4, addr: "h:3", to: [{ address: "n@m" }] });
  expect(buildBody(fields, rebaseDraft(fields, { before, mine, theirs }))).toMatchObject({
    addr: "h:2",
    limit: 4,
    to: [{ address: "x@y" }, { address: "c@d" }],
  });
});

test("an entry is removed, and later ones move up", () => {
  const draft = removeEntry(items, readDraft(fields, settings), 0);
  expect(buildBody(fields, draft).to).toEqual([{ address: "c@d" }]);
  expect(Object.keys(draft).filter((path) => path.startsWith("config.to."))).toEqual(["config.to.0.address"]);
});

describe("errors", () => {
  const draft = readDraft(fields, settings);
  const place = (path: string) => placeErrors(fields, draft, [{ path, message: "is wrong" }]);
  test.each([
    ["config.addr", "config.addr"],
    ["config.from.address", "config.from.address"],
    ["config.from.unknown", "config.from"],
    ["config.to.1.address", "config.to.1.address"],
    ["config.to.7", "config.to"],
    ["config.labels.team", "config.labels"],
  ])("%s is shown at %s", (path, at) => expect([...place(path).at]).toEqual([[at, "is wrong"]]));
  test("others remain", () => expect(place("name").rest).toEqual([{ path: "name", message: "is wrong" }]));
  test("several at one field are joined", () => {
    const errors = ["a", "b"].map((message) => ({ path: "config.addr", message }));
    expect(placeErrors(fields, draft, errors).at.get("config.addr")).toBe("a; b");
  });
});

test.each([
  ...[...bucketSchemas].map(([type, own]) => [type, own as unknown as Schema] as const),
  ...[...hookSchemas].map(([type, own]) => [type, own.properties.config as unknown as Schema] as const),
])("every setting of %s has a field of its own kind", (_, own) => {
  const unknown = fieldsOf(own, "", ["type"]).filter(({ kind }) => kind === "json");
  // What a webhook sends is JSON of any shape.
  expect(unknown.map(({ key }) => key).filter((key) => !/^(?:end_)?body$/.test(key))).toEqual([]);
});
