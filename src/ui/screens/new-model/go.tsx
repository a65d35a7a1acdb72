// Step three: name, live or not, a hook; creates, starts or trains, and lands on the chart.

import { type Signal, useSignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { StoredDetectionView } from "../../../api/detection.ts";
import { fillTemplate } from "../../../core/input/params.ts";
import { type FieldProblem, Problem } from "../../api/client.ts";
import { planModels, proposeName } from "../../lib/new-model.ts";
import { buildRoute } from "../../lib/route.ts";
import { Check } from "../../parts/form/controls.tsx";
import { buildHook, type HookDraft, HookFields } from "../../parts/form/hook-fields.tsx";
import { serverNow } from "../../state/clock.ts";
import { models } from "../../state/models.ts";
import {
  type Creation,
  type CreationOptions,
  type CreationStep,
  createModels,
} from "../../state/new-model.ts";
import { texts } from "../../state/preferences.ts";
import { goTo, route, setParams } from "../../state/route.ts";
import { Step } from "./step.tsx";
import { readParams, type TemplateView } from "./template.tsx";

const DAY = 86_400;

interface GoProps {
  readonly template: TemplateView | undefined;
  readonly look: StoredDetectionView | undefined;
  /** Metric that fits the fields. */
  readonly proposed: string;
}

const firstHook: HookDraft = { type: "mail", name: "alarm", config: {} };

export function Go({ template, look, proposed }: GoProps) {
  const { newModel: own } = texts.value;
  const { params } = route.value;
  /** Absent: none is wanted. */
  const hook = useSignal<HookDraft | undefined>(undefined);
  const { step, problem, created, run } = useCreation({ template, look, proposed }, hook);
  const isReady = template !== undefined || params.field !== undefined;
  const canStart = template === undefined || mayStart(template);
  const isWatched = canStart && params.live !== "0";
  const isBusy = step.value !== undefined;
  return (
    <Step number={3} title={own.go} isDone={false}>
      <fieldset class="form" disabled={isBusy}>
        {!template && <Name error={nameError(problem.value)} />}
        {canStart ? (
          <Check
            label={own.live}
            isOn={isWatched}
            onChange={(isOn) => setParams({ live: isOn ? undefined : "0" })}
          />
        ) : (
          <p class="quiet">{own.noLive}</p>
        )}
        <HookChoice hook={hook} problem={problem.value} />
        <button type="button" class="primary" disabled={!isReady || isBusy} onClick={() => void run()}>
          {isWatched ? own.trainAndWatch : own.train}
        </button>
      </fieldset>
      <div role="status">
        {step.value && <p class="named">{own.steps[step.value.kind](step.value.name)}</p>}
      </div>
      {problem.value && <Failure problem={problem.value} created={created} />}
    </Step>
  );
}

/** Creates what the address says; a page that is left stops waiting, the server goes on. */
function useCreation({ template, look, proposed }: GoProps, hook: Signal<HookDraft | undefined>) {
  const step = useSignal<CreationStep | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const [created] = useState(() => new Set<string>());
  const [leaving] = useState(() => new AbortController());
  useEffect(() => () => leaving.abort(), []);
  const run = async () => {
    const { params } = route.value;
    const isWatched = params.live !== "0" && (template === undefined || mayStart(template));
    problem.value = undefined;
    try {
      const creations = template
        ? [fromTemplate(template, isWatched)]
        : fromChoices({ metric: proposed, ...params }, look?.bucket_interval);
      const unreached = await createModels(creations, {
        training: trainingOf(look, isWatched),
        isWatched,
        hook: hook.value && buildHook(hook.value),
        created,
        onStep: (now) => (step.value = now),
        signal: leaving.signal,
      });
      await models.refresh();
      if (leaving.signal.aborted) return;
      if (unreached !== undefined) goTo(["models", unreached, "hooks"]);
      else goTo(creations.length === 1 ? ["models", creations[0]!.name] : ["models"]);
    } catch (error) {
      if (leaving.signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      problem.value = error;
    }
    step.value = undefined;
  };
  return { step, problem, created, run };
}

interface HookChoiceProps {
  readonly hook: Signal<HookDraft | undefined>;
  readonly problem: Problem | undefined;
}

function HookChoice({ hook, problem }: HookChoiceProps) {
  const { newModel: own } = texts.value;
  /** Kept while the hook is not wanted. */
  const typed = useSignal(firstHook);
  const draft = {
    get value() {
      return typed.value;
    },
    set value(changed: HookDraft) {
      typed.value = changed;
      hook.value = changed;
    },
  };
  const errors = problem?.errors.filter(({ path }) => path.startsWith("config")) ?? [];
  return (
    <>
      <Check
        label={own.hook}
        isOn={hook.value !== undefined}
        onChange={(isOn) => (hook.value = isOn ? typed.value : undefined)}
      />
      {hook.value && (
        <fieldset class="group form">
          <legend class="hidden">{own.hook}</legend>
          <HookFields draft={draft} errors={errors} isStored={false} />
        </fieldset>
      )}
    </>
  );
}

/** Whether detection may start before a training: as `auto`, unless the template says another detector. */
function mayStart({ settings }: TemplateView): boolean {
  return settings.detector !== "vae";
}

function fromTemplate(template: TemplateView, isWatched: boolean): Creation {
  const { name, settings } = template;
  const given = readParams(template);
  const missing = template.params.filter((key) => given[key] === undefined);
  if (missing.length > 0) throw new Problem(400, "invalid", texts.value.newModel.missing(missing.join(", ")));
  const path = `/models?from_template=${encodeURIComponent(name)}`;
  const changes = isWatched && settings.detector !== "auto" ? { detector: "auto" } : undefined;
  return { name: String(fillTemplate(settings.name, given)), path, body: given, changes };
}

function fromChoices(
  params: Readonly<Record<string, string>>,
  found: number | undefined,
): readonly Creation[] {
  return planModels(params, found).map((body) => ({ name: body.name, path: "/models", body }));
}

/** The range of the first look, thirty days without one; none where live detection trains on it by itself. */
function trainingOf(look: StoredDetectionView | undefined, isWatched: boolean): CreationOptions["training"] {
  if (!look) return isWatched ? undefined : { from: "now-30d" };
  const end = look.newest + look.bucket_interval;
  if (end <= serverNow() - DAY) return { from: look.oldest, to: end };
  return isWatched ? undefined : { from: look.oldest };
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

interface FailureProps {
  readonly problem: Problem;
  readonly created: ReadonlySet<string>;
}

/** The sentence of the server; what was created stays, and the next attempt goes on from there. */
function Failure({ problem, created }: FailureProps) {
  const { newModel: own, unreachable } = texts.value;
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
