// Form of a hook of a model; errors stand at their fields, nothing typed is lost.
import { useSignal } from "@preact/signals";
import { Problem } from "../../api/client.ts";
import { buildHook, type HookDraft, HookFields } from "../../parts/hook-fields.tsx";
import { putHook } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";

interface HookFormProps {
  readonly model: string;
  readonly initial: HookDraft;
  /** Names of other hooks; absent: the hook is stored. */
  readonly taken?: readonly string[];
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

export function HookForm({ model, initial, taken, onDone, onCancel }: HookFormProps) {
  const { hooksPage: own, cancel, unreachable } = texts.value;
  const draft = useSignal(initial);
  const problem = useSignal<Problem | undefined>(undefined);
  const isSaving = useSignal(false);
  const save = async () => {
    problem.value = undefined;
    isSaving.value = true;
    try {
      const hook = buildHook(draft.value);
      if (hook.name === "") throw refuseName(own.nameMissing);
      if (taken?.includes(hook.name)) throw refuseName(own.taken);
      await putHook(model, hook);
      onDone();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
      setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
    }
    isSaving.value = false;
  };
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
      <h2>{taken ? own.add : initial.name}</h2>
      <HookFields draft={draft} errors={errors} isStored={!taken} />
      {problem.value && errors.length === 0 && (
        <p class="bad" role="alert">
          {problem.value.message || unreachable}
        </p>
      )}
      <div class="row">
        <button type="submit" class="primary" disabled={isSaving.value}>
          {own.save}
        </button>
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </form>
  );
}

function refuseName(message: string): Problem {
  return new Problem(400, "invalid", message, undefined, [{ path: "name", message }]);
}
