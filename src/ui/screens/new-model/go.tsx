// Step three: name, live or not, a hook; creates, trains with progress, starts, and lands on the chart.
import { useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { StoredDetectionView } from "../../../api/detection.ts";
import { fillTemplate } from "../../../core/input/params.ts";
import { type FieldProblem, Problem } from "../../api/client.ts";
import { formatSpan } from "../../lib/format.ts";
import { planModels, proposeName, shareOf } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { buildHook, type HookDraft, HookFields } from "../../parts/hook-fields.tsx";
import { models } from "../../state/models.ts";
import { type Creation, type CreationStep, createModels } from "../../state/new-model.ts";
import { texts } from "../../state/preferences.ts";
import { goTo, route, setParams } from "../../state/route.ts";
import { Step } from "./step.tsx";
import { readParams, type TemplateView } from "./template.tsx";

const DAY = 86_400;

interface GoProps {
  readonly template: TemplateView | undefined;
  readonly look: StoredDetectionView | undefined;
}

const noHook: HookDraft = { type: "mail", name: "alarm", config: {} };

export function Go({ template, look }: GoProps) {
  const { newModel: own, unreachable } = texts.value;
  const { params } = route.value;
  const step = useSignal<CreationStep | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const isHooked = useSignal(false);
  const hook = useSignal(noHook);
  const [created] = useState(() => new Set<string>());
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  const isReady = template !== undefined || params.field !== undefined;
  const run = async () => {
    problem.value = undefined;
    try {
      const creations = template ? [fromTemplate(template)] : fromChoices(params, look?.bucket_interval);
      const unreached = await createModels(creations, {
        ...rangeOf(look),
        isWatched: params.live !== "0",
        hook: isHooked.value ? buildHook(hook.value) : undefined,
        created,
        onStep: (now) => (step.value = now),
        signal: leaving.signal,
      });
      await models.refresh();
      if (unreached !== undefined) goTo(["models", unreached, "hooks"]);
      else goTo(creations.length === 1 ? ["models", creations[0]!.name] : ["models"]);
    } catch (error) {
      if (leaving.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    }
    step.value = undefined;
  };
  const errors = problem.value?.errors ?? [];
  const hookErrors = errors.filter(({ path }) => path.startsWith("config"));
  return (
    <Step number={3} title={own.go} isDone={false}>
      <fieldset class="form" disabled={step.value !== undefined}>
        {!template && <Name error={nameError(problem.value)} />}
        <label class="check">
          <input
            type="checkbox"
            checked={params.live !== "0"}
            onChange={({ currentTarget }) => setParams({ live: currentTarget.checked ? undefined : "0" })}
          />{" "}
          {own.live}
        </label>
        <label class="check">
          <input
            type="checkbox"
            checked={isHooked.value}
            onChange={({ currentTarget }) => (isHooked.value = currentTarget.checked)}
          />{" "}
          {own.hook}
        </label>
        {isHooked.value && (
          <fieldset class="group form">
            <legend class="hidden">{own.hook}</legend>
            <HookFields draft={hook} errors={hookErrors} isStored={false} />
          </fieldset>
        )}
        <button
          type="button"
          class="primary"
          disabled={!isReady || step.value !== undefined}
          onClick={() => void run()}
        >
          {params.live === "0" ? own.train : own.trainAndWatch}
        </button>
      </fieldset>
      <div role="status">{step.value && <Progress step={step.value} />}</div>
      {problem.value && <Failure problem={problem.value} created={created} unreachable={unreachable} />}
    </Step>
  );
}

function fromTemplate(template: TemplateView): Creation {
  const { name, settings } = template;
  const given = readParams(template);
  const missing = template.params.filter((key) => given[key] === undefined);
  if (missing.length > 0) throw new Problem(400, "invalid", texts.value.newModel.missing(missing.join(", ")));
  const path = `/models?from_template=${encodeURIComponent(name)}`;
  return { name: String(fillTemplate(settings.name, given)), path, body: given };
}

function fromChoices(
  params: Readonly<Record<string, string>>,
  found: number | undefined,
): readonly Creation[] {
  return planModels(params, found).map((body) => ({ name: body.name, path: "/models", body }));
}

/** The range of the first look; thirty days without one. */
function rangeOf(look: StoredDetectionView | undefined): { from: number | string; to?: number } {
  if (!look) return { from: "now-30d" };
  const end = look.newest + look.bucket_interval;
  return end > Date.now() / 1000 - DAY ? { from: look.oldest } : { from: look.oldest, to: end };
}

function nameError(problem: Problem | undefined): string | undefined {
  if (problem?.code === "already_exists") return texts.value.newModel.taken;
  return problem?.errors.find(({ path }) => path === "name")?.message;
}

function Name({ error }: { error: string | undefined }) {
  const { newModel: own } = texts.value;
  const { params } = route.value;
  return (
    <div class="field">
      <label for="model-name">{own.name}</label>
      <input
        id="model-name"
        value={params.name ?? proposeName(params)}
        autocomplete="off"
        spellcheck={false}
        aria-invalid={error !== undefined}
        aria-describedby="model-name-error"
        onInput={({ currentTarget }) => setParams({ name: currentTarget.value || undefined })}
      />
      <small id="model-name-error" class="bad">
        {error}
      </small>
    </div>
  );
}

function Progress({ step: { kind, name, job } }: { step: CreationStep }) {
  const { newModel: own, left } = texts.value;
  const share = shareOf(job?.progress);
  return (
    <>
      <p>
        {own.steps[kind](name)}
        {job?.remaining_time !== undefined && `, ${left(formatSpan(job.remaining_time * 1000))}`}
      </p>
      {kind === "train" && (
        <progress {...(share !== undefined && { value: share })} max={1} aria-label={own.steps.train(name)} />
      )}
    </>
  );
}

interface FailureProps {
  readonly problem: Problem;
  readonly created: ReadonlySet<string>;
  readonly unreachable: string;
}

/** The sentence of the server; what was created stays, and the next attempt goes on from there. */
function Failure({ problem, created, unreachable }: FailureProps) {
  const { newModel: own } = texts.value;
  const placed = ({ path }: FieldProblem) => path === "name" || path.startsWith("config");
  const isPlaced = problem.errors.length > 0 && problem.errors.every(placed);
  return (
    <div role="alert">
      {!isPlaced && problem.code !== "already_exists" && <p class="bad">{problem.message || unreachable}</p>}
      {created.size > 0 && (
        <p>
          {own.stays}{" "}
          {[...created].map((name) => (
            <a key={name} href={buildRoute(["models", name])}>
              {name}{" "}
            </a>
          ))}
        </p>
      )}
    </div>
  );
}
