// Muted hours of one series: windows of the model that name its tags, added and removed.
import { useSignal } from "@preact/signals";
import { mutesOfSeries } from "../../../lib/anomalies/mute-grid.ts";
import type { Tags } from "../../../lib/fleet.ts";
import { nameOf } from "../../../lib/model-state.ts";
import { useAction } from "../../../parts/action.ts";
import { describeMute } from "../../../parts/anomalies/describe-mute.ts";
import { Dialog } from "../../../parts/dialog.tsx";
import { ActionForm, Input } from "../../../parts/form/controls.tsx";
import type { ModelTabProps } from "../../../parts/model-tabs.tsx";
import { ProblemNote } from "../../../parts/notes.tsx";
import { changeMute } from "../../../state/fleet.ts";
import { texts, zoneName } from "../../../state/preferences.ts";
import { may } from "../../../state/session.ts";

interface SeriesMuteProps extends Omit<ModelTabProps, "series"> {
  readonly tags: Tags;
}

export function SeriesMute({ model, tags, refresh }: SeriesMuteProps) {
  const { mute, muted, unmute } = texts.value.fleet;
  const isOpen = useSignal(false);
  const action = useAction();
  const { mute: all, timezone } = model.settings as { readonly mute?: unknown; readonly timezone?: string };
  const windows = mutesOfSeries(all, tags);
  const hours = windows.map(({ series, ...window }) => describeMute(window, timezone)).join("; ");
  const own = new Set(windows.map((window) => JSON.stringify(window)));
  const remove = () =>
    action.run(async () => {
      await changeMute(nameOf(model), (all) => all.filter((window) => !own.has(JSON.stringify(window))));
      await refresh();
    });
  return (
    <>
      {windows.length > 0 && <span>{muted(hours)}</span>}
      {may.value("admin") && (
        <button type="button" onClick={() => (isOpen.value = true)}>
          {mute}
        </button>
      )}
      {may.value("admin") && windows.length > 0 && (
        <button type="button" disabled={action.isBusy.value} onClick={() => void remove()}>
          {unmute}
        </button>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
      {isOpen.value && (
        <MuteDialog model={model} tags={tags} refresh={refresh} onClose={() => (isOpen.value = false)} />
      )}
    </>
  );
}

function MuteDialog({ model, tags, refresh, onClose }: SeriesMuteProps & { readonly onClose: () => void }) {
  const { mute, muteWhat, from, to } = texts.value.fleet;
  const { timezone: own = "UTC" } = model.settings as { readonly timezone?: string };
  const timezone = zoneName.value;
  const hours = useSignal({ from: "00:00", to: "24:00" });
  const action = useAction();
  const add = async () => {
    const isDone = await action.run(() =>
      changeMute(nameOf(model), (all) => [
        ...all,
        { ...hours.value, series: tags, ...(timezone !== own && { timezone }) },
      ]),
    );
    if (!isDone) return;
    onClose();
    await refresh();
  };
  return (
    <Dialog title={mute} onClose={onClose}>
      <ActionForm action={action} onSubmit={add} send={mute}>
        <p class="quiet">{muteWhat(timezone)}</p>
        <div class="two">
          {(["from", "to"] as const).map((end) => (
            <Input
              key={end}
              label={end === "from" ? from : to}
              required
              value={hours.value[end]}
              onInput={(value) => (hours.value = { ...hours.value, [end]: value })}
            />
          ))}
        </div>
      </ActionForm>
    </Dialog>
  );
}
