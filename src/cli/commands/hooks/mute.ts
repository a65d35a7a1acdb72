// Commands that mute a hook for a time, and end that; windows that come again are settings of the hook.
import type { HookOptions } from "../../../core/anomaly/hook-options.ts";
import { invalid } from "../../../core/errors.ts";
import { parseDuration } from "../../../core/time/time.ts";
import { type Context, defineCommand } from "../../command/command.ts";
import { answerDone } from "../../output/present.ts";
import { globalOption, hook, model, readHook } from "./target.ts";

const DEFAULT_DURATION = "2h";
const MINUTE_MS = 60_000;

type Mute = NonNullable<HookOptions["mute"]>;

const muteHook = defineCommand({
  name: "mute-hook",
  group: "live detection",
  summary: "Mute a hook for a time: what lasts longer is announced afterwards",
  arguments: { model, hook },
  options: {
    for: { value: "DURATION", type: "duration", fallback: DEFAULT_DURATION, description: "From now on" },
    ...globalOption,
  },
  examples: [
    ["torus mute-hook trips ops", "for two hours, in place of an earlier mute"],
    ["torus mute-hook --global oncall --for 3d", "detection and other hooks go on"],
  ],
  async run(context, { arguments: names, options: { for: duration = DEFAULT_DURATION, ...options } }) {
    const { path, name } = readHook(names, options);
    const durationMs = parseDuration(duration);
    if (durationMs === 0) throw invalid("--for", "must be longer than 0; unmute-hook ends a mute");
    const endAt = context.terminal.now() + durationMs;
    const until = new Date(Math.ceil(endAt / MINUTE_MS) * MINUTE_MS);
    const answer = await changeMute(context, path, (lasting) => [...lasting, { until: until.toISOString() }]);
    answerDone(context, answer, `muted ${name} until ${context.times.format(until.getTime() / 1000)}`);
  },
});

const unmuteHook = defineCommand({
  name: "unmute-hook",
  group: "live detection",
  summary: "End the mute of a hook; windows that come again stay",
  arguments: { model, hook },
  options: globalOption,
  examples: [["torus unmute-hook trips ops", "what waits is announced at once"]],
  async run(context, { arguments: names, options }) {
    const { path, name } = readHook(names, options);
    const answer = await changeMute(context, path, (lasting) => lasting);
    answerDone(context, answer, `unmuted ${name}`);
  },
});

/** Stores the hook with other windows; secrets that its settings leave out stay. @param change gets the windows that come again */
async function changeMute(
  { client }: Context,
  path: string,
  change: (lasting: Mute) => Mute,
): Promise<unknown> {
  const settings = await client.call<{ readonly mute?: Mute }>(`GET ${path}`);
  const lasting = (settings.mute ?? []).filter(({ until }) => until === undefined);
  return client.call(`PUT ${path}`, { body: { ...settings, mute: change(lasting) } });
}

export const muteHookCommands = [muteHook, unmuteHook];
