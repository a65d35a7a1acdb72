// Commands of hooks: receivers of the events of a model, or of many.
import type { DeliveryView } from "../../../api/hook.ts";
import type { HookSelector } from "../../../core/anomaly/hook-selector.ts";
import { invalid } from "../../../core/errors.ts";
import { sleep } from "../../../runtime/deadline.ts";
import type { Client } from "../../client/client.ts";
import { type Context, defineCommand } from "../../command/command.ts";
import { EXIT_FAILED } from "../../command/exit-codes.ts";
import { forceOption } from "../../command/options.ts";
import { readSettingsFile } from "../../input/files.ts";
import { answerDone, answerObjects, answerTable, instantColumn } from "../../output/present.ts";
import { deleteResources, yesOption } from "../../work/deletion.ts";
import { muteHookCommands } from "./mute.ts";
import { globalOption, type HookSet, hook, model, readHook, readTarget, setOf } from "./target.ts";

const POLL_MS = 100;
/** How long a test waits for the first attempt. */
const FIRST_ATTEMPT_TIMEOUT_MS = 30_000;

interface Hook {
  readonly name: string;
  readonly type: string;
  /** Of a global hook. */
  readonly selector?: HookSelector;
}

const listHooks = defineCommand({
  name: "list-hooks",
  group: "live detection",
  summary: "List the hooks of a model, or the global ones",
  arguments: { model: { description: "Model name; default: the global hooks", optional: true } },
  options: globalOption,
  examples: [
    ["torus list-hooks trips", "receivers of its events"],
    ["torus list-hooks", "receivers of the events of many models"],
  ],
  async run(context, { arguments: { model: name }, options: { global } }) {
    if (global && name !== undefined)
      throw invalid(name, "is not allowed with --global: global hooks have no model");
    const hooks = await fetchHooks(context.client, setOf(name));
    const selectors = name === undefined ? [{ title: "MODELS", value: describeSelector }] : [];
    answerTable(context, hooks, {
      columns: [
        { title: "NAME", value: (row) => row.name },
        { title: "TYPE", value: (row) => row.type },
        ...selectors,
      ],
      name: (row) => row.name,
      empty:
        name === undefined
          ? "no global hooks: torus create-hook --global FILE"
          : `${name} has no hooks: torus create-hook ${name} FILE`,
    });
  },
});

/** `cpu-*, host=web-*` */
function describeSelector({ selector: { models = [], tags = {} } = {} }: Hook): string {
  const parts = [...models, ...Object.entries(tags).map(([tag, glob]) => `${tag}=${glob}`)];
  return parts.length > 0 ? parts.join(", ") : "all";
}

function fetchHooks(client: Client, { path }: HookSet): Promise<Hook[]> {
  return client.call<Hook[]>(`GET ${path}`, { query: { full: true } });
}

const showHook = defineCommand({
  name: "show-hook",
  group: "live detection",
  summary: "Show a hook and its last deliveries",
  arguments: { model, hook },
  options: globalOption,
  examples: [["torus show-hook trips ops", "as YAML, without secrets"]],
  async run(context, { arguments: names, options }) {
    const { path } = readHook(names, options);
    const found = await context.client.call<Hook>(`GET ${path}`);
    const deliveries = await context.client.call<DeliveryView[]>(`GET ${path}/deliveries`);
    await answerObjects(context, [{ ...found, deliveries }]);
  },
});

const createHook = defineCommand({
  name: "create-hook",
  group: "live detection",
  summary: "Attach a hook to a model, or create a global one",
  arguments: {
    model,
    file: {
      description: "JSON or YAML: name, type, config, with --global also selector; - reads standard input",
      optional: true,
    },
  },
  options: { ...forceOption, ...globalOption },
  examples: [
    ["torus create-hook trips ops.yml", "a hook of any kind of the API"],
    ["torus create-hook --global ops.yml", "for all models that its selector matches"],
  ],
  async run(context, { arguments: { model: name, file }, options: { force, global } }) {
    const { last, ...set } = readTarget([name, file], { global, last: "FILE" });
    const body = await readSettingsFile(last, context.terminal);
    const isThere = (await fetchHooks(context.client, set)).some((row) => row.name === body.name);
    if (isThere && !force) throw invalid(String(body.name), "is a hook already: --force replaces it");
    const answer = await context.client.call(`PUT ${set.path}`, { body, status: 201 });
    answerDone(context, answer, `attached hook ${String(body.name)} to ${set.owner}`);
  },
});

const deleteHook = defineCommand({
  name: "delete-hook",
  group: "live detection",
  summary: "Delete a hook",
  arguments: { model, hook },
  options: { ...globalOption, ...yesOption },
  examples: [["torus delete-hook trips ops", ""]],
  run(context, { arguments: names, options: { yes, ...options } }) {
    const { path, name } = readHook(names, options);
    return deleteResources(context, { noun: "hook", names: [name], path, yes });
  },
});

const testHook = defineCommand({
  name: "test-hook",
  group: "live detection",
  summary: "Send a test anomaly to a hook, and show the deliveries",
  arguments: { model, hook },
  options: globalOption,
  examples: [["torus test-hook trips ops", "exit code 1 if the delivery failed"]],
  async run(context, { arguments: names, options }) {
    const { path } = readHook(names, options);
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
    return deliveries.length > 0 && deliveries.every(({ state }) => state === "sent") ? 0 : EXIT_FAILED;
  },
});

async function fetchTests({ client }: Context, path: string): Promise<DeliveryView[]> {
  const deliveries = await client.call<DeliveryView[]>(`GET ${path}/deliveries`);
  return deliveries.filter(({ test }) => test);
}

/** The deliveries of this test, once each was sent or has failed for the first time. */
async function waitForAttempts(
  context: Context,
  path: string,
  before: ReadonlySet<string>,
): Promise<DeliveryView[]> {
  const { terminal, signal } = context;
  const deadlineAt = terminal.now() + FIRST_ATTEMPT_TIMEOUT_MS;
  for (;;) {
    const deliveries = (await fetchTests(context, path)).filter(({ id }) => !before.has(id));
    const isOpen = ({ state, error }: DeliveryView) => state === "waiting" && error === undefined;
    // The end waits for the start: where that one failed, nothing more is to be learned.
    const stuck = deliveries.some(({ state, error }) => state === "waiting" && error !== undefined);
    const over = stuck || (deliveries.length > 0 && !deliveries.some(isOpen));
    if (over || terminal.now() >= deadlineAt) return deliveries;
    await sleep(POLL_MS, signal);
  }
}

export const hookCommands = [listHooks, showHook, createHook, deleteHook, testHook, ...muteHookCommands];
