// Commands of hooks: whom a model tells of its anomalies.
import { invalid } from "../../core/errors.ts";
import type { Client } from "../client.ts";
import { defineCommand } from "../command.ts";
import { type Context, sleep } from "../context.ts";
import { readSettingsFile } from "../files.ts";
import { forceOption } from "../options.ts";
import { answerDone, answerObjects, answerTable, instantColumn, pathOf } from "../present.ts";

const FAILED = 1;
const POLL_MS = 100;
/** How long a test waits for the first attempt. */
const PATIENCE_MS = 30_000;

interface Hook {
  readonly name: string;
  readonly type: string;
}

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly test?: boolean;
  readonly state: "waiting" | "sent" | "rejected" | "expired";
  readonly attempts: number;
  readonly error?: string;
  readonly created_timestamp: number;
}

const model = { description: "Model name" };
const hook = { description: "Hook name" };

function pathOfHook(names: { model: string; hook: string }): string {
  return `${pathOf("models", [names.model])}/hooks/${encodeURIComponent(names.hook)}`;
}

const listHooks = defineCommand({
  name: "list-hooks",
  group: "live detection",
  summary: "List the hooks of a model",
  arguments: { model },
  examples: [["torus list-hooks trips", "whom it tells of anomalies"]],
  async run(context, { arguments: { model: name } }) {
    const hooks = await fetchHooks(context.client, name);
    answerTable(context, hooks, {
      columns: [
        { title: "NAME", value: (row) => row.name },
        { title: "TYPE", value: (row) => row.type },
      ],
      name: (row) => row.name,
      empty: `${name} tells nobody: torus create-hook ${name} FILE`,
    });
  },
});

function fetchHooks(client: Client, name: string): Promise<Hook[]> {
  return client.call<Hook[]>(`GET ${pathOf("models", [name])}/hooks`, { query: { full: true } });
}

const showHook = defineCommand({
  name: "show-hook",
  group: "live detection",
  summary: "Show a hook and what it delivered last",
  arguments: { model, hook },
  examples: [["torus show-hook trips ops", "as YAML, without secrets"]],
  async run(context, { arguments: names }) {
    const path = pathOfHook(names);
    const found = await context.client.call<Hook>(`GET ${path}`);
    const deliveries = await context.client.call<Delivery[]>(`GET ${path}/deliveries`);
    await answerObjects(context, [{ ...found, deliveries }]);
  },
});

const createHook = defineCommand({
  name: "create-hook",
  group: "live detection",
  summary: "Attach a hook to a model",
  arguments: { model, file: { description: "JSON or YAML: name, type, config; - reads standard input" } },
  options: forceOption,
  examples: [["torus create-hook trips ops.yml", "mail, webhook, alertmanager, slack, annotations or exec"]],
  async run(context, { arguments: { model: name, file }, options: { force } }) {
    const body = await readSettingsFile(file, context.terminal);
    const isThere = (await fetchHooks(context.client, name)).some((row) => row.name === body.name);
    if (isThere && !force) throw invalid(String(body.name), "is a hook already: --force replaces it");
    const answer = await context.client.call(`PUT ${pathOf("models", [name])}/hooks`, { body, status: 201 });
    answerDone(context, answer, `${name} tells ${String(body.name)} of its anomalies`);
  },
});

const deleteHook = defineCommand({
  name: "delete-hook",
  group: "live detection",
  summary: "Delete a hook",
  arguments: { model, hook },
  examples: [["torus delete-hook trips ops", ""]],
  async run(context, { arguments: names }) {
    const answer = await context.client.call(`DELETE ${pathOfHook(names)}`);
    answerDone(context, answer, `deleted ${names.hook}`);
  },
});

const testHook = defineCommand({
  name: "test-hook",
  group: "live detection",
  summary: "Tell a hook of a made-up start and end, and see what becomes of it",
  arguments: { model, hook },
  examples: [["torus test-hook trips ops", "exit code 1 where it could not be told"]],
  async run(context, { arguments: names }) {
    const path = pathOfHook(names);
    const before = new Set((await fetchTests(context, path)).map(({ id }) => id));
    await context.client.call(`POST ${path}/_test`);
    const deliveries = await waitForAttempts(context, path, before);
    answerTable(context, deliveries, {
      columns: [
        instantColumn(context, "TIME", { at: (row) => row.created_timestamp }),
        { title: "EVENT", value: (row) => row.event },
        { title: "STATE", value: (row) => row.state },
        { title: "ATTEMPTS", align: "right", value: (row) => String(row.attempts) },
        { title: "ERROR", value: (row) => row.error ?? "" },
      ],
      name: ({ id }) => id,
      empty: "nothing was delivered",
    });
    return deliveries.length > 0 && deliveries.every(({ state }) => state === "sent") ? 0 : FAILED;
  },
});

async function fetchTests({ client }: Context, path: string): Promise<Delivery[]> {
  const deliveries = await client.call<Delivery[]>(`GET ${path}/deliveries`);
  return deliveries.filter(({ test }) => test);
}

/** The deliveries of this test, once each has been told or has failed for the first time. */
async function waitForAttempts(
  context: Context,
  path: string,
  before: ReadonlySet<string>,
): Promise<Delivery[]> {
  const { terminal, signal } = context;
  const deadlineAt = terminal.now() + PATIENCE_MS;
  for (;;) {
    const deliveries = (await fetchTests(context, path)).filter(({ id }) => !before.has(id));
    const isOpen = ({ state, error }: Delivery) => state === "waiting" && error === undefined;
    // The end waits for the start: where that one failed, nothing more is to be learned.
    const stuck = deliveries.some(({ state, error }) => state === "waiting" && error !== undefined);
    const over = stuck || (deliveries.length > 0 && !deliveries.some(isOpen));
    if (over || terminal.now() >= deadlineAt) return deliveries;
    await sleep(POLL_MS, signal);
  }
}

export const hookCommands = [listHooks, showHook, createHook, deleteHook, testHook];
