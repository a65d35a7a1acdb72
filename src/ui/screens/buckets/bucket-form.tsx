// Form of a bucket's settings, tested before they are saved; errors stand at their fields, nothing typed is lost.
import { type Signal, useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { BucketTestView } from "../../../api/bucket.ts";
import { type FieldProblem, Problem } from "../../api/client.ts";
import type { Draft } from "../../parts/form/draft.ts";
import { placeErrors } from "../../parts/form/errors.ts";
import { type Field, fieldsOf, type Schema } from "../../parts/form/fields.ts";
import { FormFields } from "../../parts/form/form-fields.tsx";
import { failureOf } from "../../state/failure.ts";
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

export function BucketForm(props: FormProps) {
  const { draft, isStored, onCancel, head, foot } = props;
  const { bucketsPage: own, cancel } = texts.value;
  const fields = fieldsOf(props.schema, "", notShown);
  const { step, problem, failed, submit } = useSaving(props, fields);
  const placed = useComputed(() => placeErrors(fields, draft.value, problem.value?.errors ?? []));
  const { at, rest } = placed.value;
  return (
    <form
      class="card form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit(false);
      }}
    >
      {head?.(rest.find(({ path }) => path === "name")?.message)}
      <FormFields fields={fields} draft={draft} errors={at} isStored={isStored} />
      {foot}
      <Refusals problem={problem.value} rest={rest} failed={failed.value} />
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

/** Tests, then saves; what was refused is kept for the form to show. */
function useSaving({ check, bodyOf, save, onConflict }: FormProps, fields: readonly Field[]) {
  const step = useSignal<Step>("idle");
  const problem = useSignal<Problem | undefined>(undefined);
  const failed = useSignal<BucketTestView | undefined>(undefined);
  const work = async (isTested: boolean) => {
    const errors = check();
    if (errors.length > 0) throw new Problem(400, "invalid", errors[0]!.message, undefined, errors);
    const body = bodyOf(fields);
    if (!isTested) {
      step.value = "testing";
      const tested = await request<BucketTestView>("/buckets/_test", { method: "POST", body });
      failed.value = tested.ok || tested.code === "not_supported" ? undefined : tested;
      if (failed.value) return;
    }
    step.value = "saving";
    await save(body);
  };
  const submit = async (isTested: boolean) => {
    problem.value = undefined;
    failed.value = undefined;
    let refused = await findProblem(() => work(isTested));
    // The form says that it keeps both changes once it does.
    if (refused?.status === 412 && onConflict) refused = (await findProblem(onConflict)) ?? refused;
    problem.value = refused;
    step.value = "idle";
    if (refused && refused.status !== 412) focusFirstError();
  };
  return { step, problem, failed, submit };
}

/** How the work was refused; undefined where it was not. */
async function findProblem(work: () => Promise<void>): Promise<Problem | undefined> {
  try {
    await work();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  return undefined;
}

interface RefusalsProps {
  readonly problem: Problem | undefined;
  /** Errors that no field holds; that of the name stands at the name. */
  readonly rest: readonly FieldProblem[];
  readonly failed: BucketTestView | undefined;
}

function Refusals({ problem, rest, failed }: RefusalsProps) {
  const { conflict, unreachable } = texts.value;
  const isConflict = problem?.status === 412;
  return (
    <div role="alert">
      {isConflict && <p class="bad">{conflict}</p>}
      {problem && !isConflict && problem.errors.length === 0 && (
        <p class="bad">{problem.message || unreachable}</p>
      )}
      {rest
        .filter(({ path }) => path !== "name")
        .map(({ path, message }) => (
          <p key={path} class="bad">
            {path}: {message}
          </p>
        ))}
      {failed && <p class="bad">{failureOf(failed)}</p>}
    </div>
  );
}

/** After the errors are drawn. */
function focusFirstError(): void {
  setTimeout(() => document.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
