// Global hooks that notify about a model: target, last delivery, a test, and the way to their page; many are folded.
import { useEffect } from "preact/hooks";
import type { HookStateView } from "../../../api/hook.ts";
import type { ModelView } from "../../../api/model.ts";
import { selectsModel } from "../../../core/anomaly/selects-model.ts";
import type { Feature } from "../../../core/model/feature.ts";
import { nameOf } from "../../lib/model-state.ts";
import { buildRoute } from "../../lib/route.ts";
import { useAction } from "../../parts/action.ts";
import { DeliveryState } from "../../parts/anomalies/delivery-state.tsx";
import { Opening } from "../../parts/form/opening.tsx";
import { ProblemNote } from "../../parts/notes.tsx";
import { hookStates, testHook } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";
import { may } from "../../state/session.ts";
import { describeSelector, isBad } from "./all-hooks.tsx";
import { FEW } from "./hook-card.tsx";
import { MutedUntil } from "./mute-hook.tsx";

const POLL_MS = 10_000;

/** Global hooks that select a model, or some series of a fleet; undefined until they are read. */
export function useGlobalHooks(model: ModelView): readonly HookStateView[] | undefined {
  useEffect(() => hookStates.follow(POLL_MS, ["delivery", "model"]), []);
  const settings = model.settings as {
    readonly features?: readonly Feature[];
    readonly group_by?: readonly string[];
  };
  const { features = [], group_by = [] } = settings;
  const { value, problem } = hookStates.loaded.value;
  if (!value) return problem && [];
  return value.filter(({ model: owner, selector = {} }) => {
    if (owner !== undefined) return false;
    // A value of a tag of the fleet: some series may have it.
    const series = Object.fromEntries(group_by.map((tag) => [tag, selector.tags?.[tag] ?? ""]));
    return selectsModel(selector, { name: nameOf(model), features, series });
  });
}

export function GlobalHooks({ hooks }: { hooks: readonly HookStateView[] }) {
  const { hooksPage: own } = texts.value;
  if (hooks.length === 0) return null;
  return (
    <section class="card hook">
      <Opening isOpen={hooks.length <= FEW || hooks.some(isBad)}>
        <summary class="hook-line">
          <h2>{own.alsoNotified}</h2>
          <span class="count">{hooks.length}</span>
        </summary>
        <ul class="episodes hook">
          {hooks.map((hook) => (
            <Item key={hook.name} hook={hook} />
          ))}
        </ul>
      </Opening>
    </section>
  );
}

function Item({ hook }: { hook: HookStateView }) {
  const { name, type, target, selector, last_delivery: last } = hook;
  const { hooksPage: own, allHooks } = texts.value;
  const action = useAction();
  const test = async () => {
    await action.run(() => testHook(undefined, name));
    await hookStates.refresh();
  };
  return (
    <li>
      <a href={buildRoute(["hooks"])}>{name}</a>
      <span class="tag">{type}</span>
      <span class="quiet address">{target ?? own.hiddenTarget}</span>
      <span class="selection">{describeSelector(selector) || allHooks.everyModel}</span>
      <MutedUntil hook={hook} />
      {last && (
        <span>
          <DeliveryState delivery={last} />
        </span>
      )}
      {may.value("run") && (
        <button
          type="button"
          class="right"
          aria-label={own.testOf(name)}
          disabled={action.isBusy.value}
          onClick={() => void test()}
        >
          {own.test}
        </button>
      )}
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </li>
  );
}
