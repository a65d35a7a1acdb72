// Hooks of a model: deliveries, tests, settings, global hooks that select it, and muted hours.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { MuteWindow } from "../../../core/model/mute.ts";
import { nameOf } from "../../lib/model-state.ts";
import type { ModelTabProps } from "../../parts/model-tabs.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { type Answer, useAnswer } from "../../parts/use-answer.ts";
import { listHooks } from "../../state/hooks.ts";
import { needKinds } from "../../state/kinds.ts";
import { readStored, type StoredModel } from "../../state/models.ts";
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { withTarget } from "./hook-card.tsx";
import { HookForm } from "./hook-form.tsx";
import { HookList } from "./hook-list.tsx";
import { Mute } from "./mute.tsx";
import { NoHooks } from "./no-hooks.tsx";
import { useGlobalHooks } from "./selected-hooks.ts";

export { AllHooks } from "./all-hooks.tsx";

export function ModelHooks({ model: shown }: ModelTabProps) {
  useEffect(needKinds, []);
  const name = nameOf(shown);
  const { hooksPage: own } = texts.value;
  const hooks = useAnswer(name, (signal) => listHooks(name, signal));
  const model = useAnswer(name, (signal) => readStored(name, signal));
  const global = useGlobalHooks(shown);
  const isLoading = hooks.isLoading || global === undefined;
  const listed = isLoading ? undefined : hooks.value;
  /** Kind of a hook that is being added. */
  const added = useSignal<string | undefined>(undefined);
  /** Name of the hook that was added last. */
  const stored = useSignal<string | undefined>(undefined);
  const canChange = may.value("admin");
  return (
    <>
      {canChange && added.value === undefined && (
        <div class="actions">
          <button type="button" class="primary" onClick={() => (added.value = "webhook")}>
            {own.add}
          </button>
        </div>
      )}
      {isLoading && <Loading />}
      {hooks.problem && <ProblemNote problem={hooks.problem} again={hooks.again} />}
      {added.value !== undefined && (
        <HookForm
          key={added.value}
          model={name}
          initial={{ type: added.value, name: "", config: {} }}
          taken={hooks.value?.map((hook) => hook.name) ?? []}
          onDone={(hook) => {
            stored.value = hook;
            added.value = undefined;
            hooks.again();
          }}
          onCancel={() => (added.value = undefined)}
        />
      )}
      {listed && global && (
        <HookList
          label={texts.value.hooks}
          list={[
            ...listed.map((hook) => withTarget(name, hook)),
            ...global.map((hook) => ({ owner: undefined, hook })),
          ]}
          added={stored.value}
          onChange={hooks.again}
        />
      )}
      {listed?.length === 0 && added.value === undefined && (
        <NoHooks
          title={global?.length ? own.noneOwn : own.none}
          about={own.what}
          onAdd={(type) => (added.value = type)}
        />
      )}
      {listed && global && <MuteOf name={name} read={model} isNotified={listed.length + global.length > 0} />}
    </>
  );
}

interface MuteOfProps {
  readonly name: string;
  readonly read: Answer<StoredModel>;
  /** Whether any hook notifies about it. */
  readonly isNotified: boolean;
}

function MuteOf({ name, read, isNotified }: MuteOfProps) {
  const isSaved = useSignal(false);
  if (read.problem) return <ProblemNote problem={read.problem} again={read.again} />;
  if (!read.value) return null;
  const { model, etag } = read.value;
  const { mute = [], timezone = "UTC" } = model.settings as {
    readonly mute?: readonly MuteWindow[];
    readonly timezone?: string;
  };
  if (!isNotified && mute.length === 0) return null;
  return (
    <Mute
      key={etag}
      model={name}
      windows={mute}
      timezone={timezone}
      etag={etag}
      isSaved={isSaved.value}
      onSaved={() => {
        isSaved.value = true;
        read.again();
      }}
    />
  );
}
