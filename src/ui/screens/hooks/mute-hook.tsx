// Mute of one hook: until when it lasts, and the buttons that begin and end it.
import type { HookStateView } from "../../../api/hook.ts";
import { useAction } from "../../parts/action.ts";
import { ProblemNote } from "../../parts/notes.tsx";
import { serverNow } from "../../state/clock.ts";
import { type HookOwner, type HookSettings, muteHook, unmuteHook } from "../../state/hooks.ts";
import { moments, texts } from "../../state/preferences.ts";

const HOURS = 2;

/** Nothing where the hook is not muted. */
export function MutedUntil({ hook }: { hook: HookStateView | undefined }) {
  const end = hook?.muted_until;
  if (end === undefined) return null;
  return <span class="tag">{texts.value.hooksPage.mutedUntil(moments.value.moment(end, serverNow()))}</span>;
}

interface MuteHookProps {
  readonly model: HookOwner;
  readonly hook: HookSettings;
  /** Reads the hook again. */
  readonly onChange: () => void;
}

export function MuteHook({ model, hook, onChange }: MuteHookProps) {
  const { hooksPage: own, fleet } = texts.value;
  const action = useAction();
  const isMuted = hook.mute?.some(
    ({ until }) => until !== undefined && Date.parse(until) > serverNow() * 1000,
  );
  const change = () =>
    action.run(async () => {
      await (isMuted ? unmuteHook(model, hook) : muteHook(model, hook, HOURS));
      onChange();
    });
  return (
    <>
      <button
        type="button"
        aria-label={isMuted ? own.unmuteOf(hook.name) : `${own.mute(HOURS)}: ${hook.name}`}
        disabled={action.isBusy.value}
        onClick={() => void change()}
      >
        {isMuted ? fleet.unmute : own.mute(HOURS)}
      </button>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </>
  );
}
