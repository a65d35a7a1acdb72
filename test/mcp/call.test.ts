// Calls of tools: scope before arguments, errors as results, bugs for the log alone.
import { expect, test } from "bun:test";
import { Type } from "@sinclair/typebox";
import type { Principal } from "../../src/core/access/token.ts";
import { TorusError } from "../../src/core/errors.ts";
import { callTool } from "../../src/mcp/call.ts";
import { defineTool, type ToolContext } from "../../src/mcp/tool.ts";

const input = Type.Object(
  { count: Type.Optional(Type.Integer()), flag: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);

async function call(given: object, run: (input: object) => object, principal: Principal = { scope: "run" }) {
  const tool = defineTool({
    name: "try_it",
    title: "Try",
    description: "",
    scope: "run",
    effect: "none",
    isIdempotent: true,
    input,
    run: async (checked) => ({ summary: "done", data: { ...run(checked) } }),
  });
  return callTool({ tool, input: { ...given }, principal, context: {} as ToolContext });
}

const fail = (error: unknown) => () => {
  throw error;
};

test("a result is a sentence and JSON, and structured", async () => {
  expect(await call({ count: 1 }, (checked) => checked)).toEqual({
    answer: {
      content: [
        { type: "text", text: "done" },
        { type: "text", text: '{"count":1}' },
      ],
      structuredContent: { count: 1 },
    },
    end: { tool: "try_it", outcome: "ok" },
  });
});

test("texts are numbers and booleans where the schema has these, and null is absent", async () => {
  const { answer } = await call({ count: "20", flag: "True" }, (checked) => checked);
  expect(answer.structuredContent).toEqual({ count: 20, flag: true });
  expect((await call({ count: null }, (checked) => checked)).answer.structuredContent).toEqual({});
});

test("the scope is checked before the arguments", async () => {
  const { answer, end } = await call({ wrong: 1 }, () => ({}), { scope: "read" });
  expect(answer).toEqual({
    isError: true,
    content: [
      {
        type: "text",
        text: "forbidden: this request has scope read, this needs run: use a token with that scope",
      },
    ],
    structuredContent: {
      code: "forbidden",
      scope: "run",
      message: "this request has scope read, this needs run: use a token with that scope",
    },
  });
  expect(end).toEqual({ tool: "try_it", outcome: "forbidden" });
});

test("every invalid argument is named with its rule", async () => {
  const { answer } = await call({ count: 1.5, flag: 7 }, () => ({}));
  expect(answer.content[0]!.text).toBe("invalid: count: must be integer\nflag: must be true or false");
});

test.each([
  ["an exception", new Error("select secret from x")],
  ["an internal error", new TorusError("internal", "select secret from x")],
])("of %s only the log has the text", async (_name, bug) => {
  const { answer, end } = await call({}, fail(bug));
  expect(JSON.stringify(answer)).not.toContain("secret");
  expect(answer.structuredContent).toMatchObject({ code: "internal" });
  expect(end).toEqual({ tool: "try_it", outcome: "internal", bug });
});

test("the details of an error are shown beside its code", async () => {
  const error = new TorusError("training_active", "it trains", { job_id: "j" });
  const { answer, end } = await call({}, fail(error));
  expect(answer.structuredContent).toEqual({ job_id: "j", code: "training_active", message: "it trains" });
  expect(end.outcome).toBe("training_active");
});
