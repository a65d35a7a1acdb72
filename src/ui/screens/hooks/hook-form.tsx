// Form of a hook of a model or of a global one; errors stand at their fields, nothing typed is lost.
import { useSignal } from "@preact/signals";
import type { HookPreviewView } from "../../../api/hook.ts";
import { Problem } from "../../api/client.ts";
import { useAction } from "../../parts/action.ts";
import { buildHook, type HookDraft, HookFields } from "../../parts/form/hook-fields.tsx";
import { type HookOwner, type HookSettings, previewHook, putHook } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";
import { Previews } from "./previews.tsx";

/** Name of a hook in a preview until it has one. */
const UNNAMED = "hook";

interface HookFormProps {
  /** Undefined: a global hook. */
  readonly model: HookOwner;
  readonly initial: HookDraft;
  /** Names of other hooks; absent: the hook is stored. */
  readonly taken?: readonly string[];
  /** @param name of the stored hook */
  readonly onDone: (name: string) => void;
  readonly onCancel: () => void;
}

export function HookForm({ model, initial, taken, onDone, onCancel }: HookFormProps) {
  const { hooksPage: own, cancel, unreachable } = texts.value;
  const draft = useSignal(initial);
  const { run, problem, isBusy } = useAction();
  const preview = useSignal<readonly HookPreviewView[] | undefined>(undefined);
  const attempt = async (work: (hook: HookSettings) => Promise<void>) => {
    if (await run(() => work(buildHook(draft.value)))) return;
    setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  const save = () =>
    attempt(async (hook) => {
      if (hook.name === "") throw refuseName(own.nameMissing);
      if (taken?.includes(hook.name)) throw refuseName(own.taken);
      await putHook(model, hook);
      onDone(hook.name);
    });
  const show = () =>
    attempt(async (hook) => {
      preview.value = await previewHook(model, { ...hook, name: hook.name || UNNAMED });
    });
  const errors = problem.value?.errors ?? [];
  return (
    <form
      class="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{taken ? (model === undefined ? own.addGlobal : own.add) : initial.name}</h2>
      <HookFields draft={draft} errors={errors} isStored={!taken} isGlobal={model === undefined} />
      {problem.value && errors.length === 0 && (
        <p class="bad" role="alert">
          {problem.value.message || unreachable}
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={isBusy.value}>
          {own.save}
        </button>
        <button type="button" disabled={isBusy.value} onClick={() => void show()}>
          {own.preview}
        </button>
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
      {preview.value && <Previews list={preview.value} />}
    </form>
  );
}

function refuseName(message: string): Problem {
  return new Problem(400, "invalid", message, undefined, [{ path: "name", message }]);
}
