// Schemas of the Model Context Protocol: messages of JSON-RPC 2.0.
import { Type } from "@sinclair/typebox";

const id = Type.Union([Type.String(), Type.Number()]);
const version = Type.Literal("2.0");
const anything = Type.Record(Type.String(), Type.Unknown());

export const McpMessage = Type.Object(
  {
    jsonrpc: version,
    id: Type.Optional(Type.Union([Type.String(), Type.Number()], { description: "Absent: a notification" })),
    method: Type.String({ description: "`initialize`, `ping`, `tools/list`, `tools/call`, ..." }),
    params: Type.Optional(anything),
  },
  { $id: "McpMessage", description: "A request or a notification of JSON-RPC 2.0" },
);

export const McpAnswer = Type.Object(
  {
    jsonrpc: version,
    id: Type.Union([id, Type.Null()]),
    result: Type.Optional(anything),
    error: Type.Optional(
      Type.Object({
        code: Type.Integer({ description: "As JSON-RPC 2.0 assigns them" }),
        message: Type.String({ description: "The problem, the rule and the remedy" }),
        data: Type.Optional(Type.Unknown({ description: "`code` of the problem, and what else it names" })),
      }),
    ),
  },
  { $id: "McpAnswer", description: "A result, or an error" },
);
