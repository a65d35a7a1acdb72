// Hooks of all models in one list: global ones with their forms, and those of single models.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { type Answer, useAnswer } from "../../parts/use-answer.ts";
import { type HookSettings, hookStates, listHooks } from "../../state/hooks.ts";
import { needKinds } from "../../state/kinds.ts";
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { withTarget } from "./hook-card.tsx";
import { HookForm } from "./hook-form.tsx";
import { HookList } from "./hook-list.tsx";
import { NoHooks } from "./no-hooks.tsx";
import { useHookStates } from "./selected-hooks.ts";

export function AllHooks() {
  useEffect(needKinds, []);
  const global = useAnswer("global", (signal) => listHooks(undefined, signal));
  /** Kind of a hook that is being added. */
  const added = useSignal<string | undefined>(undefined);
  /** Name of the hook that was added last. */
  const stored = useSignal<string | undefined>(undefined);
  const { hooks: title, hooksPage } = texts.value;
  const { value: states, problem } = useHookStates();
  // Both lists at once: the second would jump.
  const value = global.value || global.problem ? states : undefined;
  const list = [
    ...(global.value ?? []).map((hook) => withTarget(undefined, hook)),
    ...(value ?? []).flatMap((hook) => (hook.model === undefined ? [] : [{ owner: hook.model, hook }])),
  ];
  const isEmpty = value !== undefined && !global.problem && list.length === 0;
  return (
    <>
      <header class="head">
        <h1>{title}</h1>
        {may.value("admin") && added.value === undefined && (
          <button type="button" class="primary right" onClick={() => (added.value = "webhook")}>
            {hooksPage.addGlobal}
          </button>
        )}
      </header>
      {!value && !problem && <Loading />}
      {problem && <ProblemNote problem={problem} again={() => void hookStates.refresh()} />}
      {added.value !== undefined && (
        <NewGlobal type={added} global={global} onStored={(name) => (stored.value = name)} />
      )}
      {isEmpty && added.value === undefined && (
        <NoHooks
          title={texts.value.allHooks.none}
          about={texts.value.allHooks.how}
          onAdd={(type) => (added.value = type)}
        />
      )}
      {global.problem && <ProblemNote problem={global.problem} again={global.again} />}
      {value && !isEmpty && (
        <HookList label={title} list={list} added={stored.value} onChange={global.again} />
      )}
    </>
  );
}

interface NewGlobalProps {
  readonly type: { value: string | undefined };
  readonly global: Answer<readonly HookSettings[]>;
  /** @param name of the new hook */
  readonly onStored: (name: string) => void;
}

function NewGlobal({ type, global, onStored }: NewGlobalProps) {
  return (
    <HookForm
      model={undefined}
      initial={{ type: type.value!, name: "", config: {} }}
      taken={global.value?.map(({ name }) => name) ?? []}
      onDone={(name) => {
        onStored(name);
        type.value = undefined;
        global.again();
      }}
      onCancel={() => (type.value = undefined)}
    />
  );
}
