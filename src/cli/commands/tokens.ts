// Access-token commands: create, list, revoke.
import type { Shown } from "../../api/shown.ts";
import type { NewToken, TokenView } from "../../api/token.ts";
import { pathOf } from "../client/client.ts";
import { defineCommand } from "../command/command.ts";
import { definedOnly } from "../command/options.ts";
import { answerDone, answerTable, instantColumn } from "../output/present.ts";

const createToken = defineCommand({
  name: "token create",
  group: "administration",
  summary: "Create an access token and print it; it cannot be shown again",
  details: ["The first token enables authentication: create it with scope admin."],
  arguments: { name: { description: "Name of the token" } },
  options: {
    scope: {
      value: "SCOPE",
      choices: ["read", "run", "admin"],
      required: true,
      description: "Permissions, each including the one before",
    },
    "expires-in": {
      value: "DURATION",
      type: "duration",
      description: "Lifetime; default: unlimited",
    },
  },
  examples: [
    ["torus token create grafana --scope read", "for dashboards"],
    ["torus token create ci --scope run --expires-in 90d -q > ci.token", "only the token, for --token-file"],
  ],
  async run(context, { arguments: { name }, options }) {
    const { scope, "expires-in": expires } = options;
    const body = definedOnly({ name, scope, expires_in: expires });
    const created = await context.client.call<Shown<typeof NewToken>>("POST /tokens", {
      body,
      status: 201,
    });
    context.answer(created, () => created.token);
    context.note(`token ${name}, scope ${scope}: store it now, it cannot be shown again`);
  },
});

const listTokens = defineCommand({
  name: "token list",
  group: "administration",
  summary: "List the access tokens, without their secrets",
  examples: [["torus token list", "names, scopes and last use"]],
  async run(context) {
    const tokens = await context.client.call<TokenView[]>("GET /tokens");
    answerTable(context, tokens, {
      columns: [
        { title: "NAME", value: ({ name }) => name },
        { title: "SCOPE", value: ({ scope }) => scope },
        instantColumn(context, "CREATED", { at: (token) => token.created_timestamp, isWhole: true }),
        instantColumn(context, "LAST USED", { at: (token) => token.last_used_timestamp, isWhole: true }),
        instantColumn(context, "EXPIRES", { at: (token) => token.expires_timestamp, isWhole: true }),
      ],
      name: ({ name }) => name,
      empty: "no tokens: authentication is off",
    });
  },
});

const revokeToken = defineCommand({
  name: "token revoke",
  group: "administration",
  summary: "Revoke access tokens",
  arguments: { name: { description: "Name of the token", many: true } },
  options: { force: { description: "Even the last token of scope admin" } },
  examples: [["torus token revoke ci", "at once"]],
  async run(context, { arguments: { name }, options: { force } }) {
    const path = pathOf("tokens", name);
    const answer = await context.client.call(`DELETE ${path}`, { query: definedOnly({ force }) });
    answerDone(context, answer, `revoked ${name.join(", ")}`);
  },
});

export const tokenCommands = [createToken, listTokens, revokeToken];
