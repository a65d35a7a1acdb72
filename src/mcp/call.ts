// A call of a tool: its scope, its arguments and its outcome; errors become results that name code and remedy.
import type { TObject } from "@sinclair/typebox";
import { assertScope, type Principal } from "../core/access/token.ts";
import { linesOf, TorusError } from "../core/errors.ts";
import { coerceStrings } from "../core/input/coerce.ts";
import { check, dropNulls } from "../core/input/schema.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

/** A call that has ended: of `internal` errors, what the log gets. */
export interface CallEnd {
  readonly tool: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly bug?: unknown;
}

interface CallRequest {
  readonly tool: Tool;
  readonly input: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  readonly context: ToolContext;
}

/** The answer to a call, as the protocol has it. */
export interface CallAnswer {
  readonly content: { readonly type: "text"; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  readonly [key: string]: unknown;
}

/** Runs a tool. Never rejects. */
export async function callTool(request: CallRequest): Promise<{ answer: CallAnswer; end: CallEnd }> {
  const { tool } = request;
  try {
    const result = await run(request);
    return { answer: answerOf(result), end: { tool: tool.name, outcome: "ok" } };
  } catch (error) {
    const isBug = !(error instanceof TorusError) || error.code === "internal";
    const shown = isBug ? hidden : error;
    const end = { tool: tool.name, outcome: shown.code, ...(isBug && { bug: error }) };
    return { answer: answerOfError(shown), end };
  }
}

const hidden = new TorusError(
  "internal",
  "internal error; the log has the details under the request id of the answer",
);

function run({ tool, input, principal, context }: CallRequest): Promise<ToolResult> {
  assertScope(principal, tool.scope);
  const checked = tool.isCheckedByResource ? input : checkInput(tool.input, input);
  return tool.run(checked as never, context);
}

/** Assistants write numbers as texts, and null for what they leave out. */
function checkInput(schema: TObject, input: CallRequest["input"]): unknown {
  return check(schema, coerceStrings(schema, dropNulls(schema, input)));
}

/** Both as a sentence and as JSON: some clients show one of them alone. */
function answerOf({ summary, data }: ToolResult): CallAnswer {
  return {
    content: [summary, JSON.stringify(data)].map((text) => ({ type: "text", text })),
    structuredContent: { ...data },
  };
}

function answerOfError(error: TorusError): CallAnswer {
  const { code, message, details } = error;
  return {
    isError: true,
    content: [{ type: "text", text: `${code}: ${linesOf(error).join("\n")}` }],
    structuredContent: { ...details, code, message },
  };
}
