// Form of a bucket's settings, tested before they are saved; errors stand at their fields, nothing typed is lost.
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { type FieldProblem, Problem } from "../../api/client.ts";
import type { Draft } from "../../parts/form/draft.ts";
import { placeErrors } from "../../parts/form/errors.ts";
import { type Field, fieldsOf, type Schema } from "../../parts/form/fields.ts";
import { FormFields } from "../../parts/form/form-fields.tsx";
import type { BucketTest } from "../../state/buckets.ts";
import { texts } from "../../state/preferences.ts";
import { request } from "../../state/session.ts";

/** Settings that forms show by themselves, or never. */
export const notShown = ["name", "type", "max_series_per_request"];

interface FormProps {
  readonly schema: Schema;
  readonly draft: Signal<Draft>;
  readonly isStored: boolean;
  /** Errors that need no request. */
  readonly check: () => readonly FieldProblem[];
  readonly bodyOf: (fields: readonly Field[]) => object;
  /** @throws Problem */
  readonly save: (body: object) => Promise<void>;
  readonly onCancel: () => void;
  /** Prepares another attempt after the stored settings have changed. */
  readonly onConflict?: () => Promise<void>;
  readonly head?: (nameError: string | undefined) => ComponentChildren;
  readonly foot?: ComponentChildren;
}

type Step = "idle" | "testing" | "saving";

export function BucketForm({
  schema,
  draft,
  isStored,
  check,
  bodyOf,
  save,
  onCancel,
  onConflict,
  head,
  foot,
}: FormProps) {
  const { bucketsPage: own, cancel, unreachable } = texts.value;
  const step = useSignal<Step>("idle");
  const problem = useSignal<Problem | undefined>(undefined);
  const failed = useSignal<BucketTest | undefined>(undefined);
  const fields = fieldsOf(schema, "", notShown);
  const placed = useComputed(() => placeErrors(fields, draft.value, problem.value?.errors ?? []));
  const isConflict = problem.value?.status === 412;
  const submit = async (isTested: boolean) => {
    problem.value = undefined;
    failed.value = undefined;
    const body = bodyOf(fields);
    try {
      const errors = check();
      if (errors.length > 0) throw new Problem(400, "invalid", errors[0]!.message, undefined, errors);
      if (!isTested) {
        step.value = "testing";
        const tested = await request<BucketTest>("/buckets/_test", { method: "POST", body });
        if (!tested.ok && tested.code !== "not_supported") {
          failed.value = tested;
          return;
        }
      }
      step.value = "saving";
      await save(body);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
      if (error.status === 412) await onConflict?.();
      else focusFirstError();
    } finally {
      step.value = "idle";
    }
  };
  const unplaced = problem.value && problem.value.errors.length === 0;
  const nameError = placed.value.rest.find(({ path }) => path === "name")?.message;
  const others = placed.value.rest.filter(({ path }) => path !== "name");
  return (
    <form
      class="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(false);
      }}
    >
      {head?.(nameError)}
      <FormFields fields={fields} draft={draft} errors={placed.value.at} isStored={isStored} />
      {foot}
      <div role="alert">
        {isConflict && <p class="bad">{own.conflict}</p>}
        {unplaced && !isConflict && <p class="bad">{problem.value?.message || unreachable}</p>}
        {others.map(({ path, message }) => (
          <p key={path} class="bad">
            {path}: {message}
          </p>
        ))}
        {failed.value && <p class="bad">{failed.value.error}</p>}
      </div>
      <div class="row">
        <button type="submit" class="primary" disabled={step.value !== "idle"}>
          {step.value === "testing" ? own.asking : own.testAndSave}
        </button>
        {failed.value && (
          <button type="button" onClick={() => void submit(true)}>
            {own.saveAnyway}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {cancel}
        </button>
      </div>
    </form>
  );
}

/** After the errors are drawn. */
function focusFirstError(): void {
  setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
