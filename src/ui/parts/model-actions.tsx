// Actions of a model: train, start, and stop, which is asked once more as it ends the anomalies in progress.
import { type Signal, useSignal } from "@preact/signals";
import type { ModelView } from "../../api/model.ts";
import { stateOfModel } from "../../core/model/model-state.ts";
import { nameOf } from "../lib/model-state.ts";
import { actions } from "../state/models.ts";
import { texts } from "../state/preferences.ts";
import { may } from "../state/session.ts";
import { undoable } from "../state/undo.ts";
import { useAction } from "./action.ts";

interface ModelActionsProps {
  readonly model: ModelView;
  /** Reads the model again. */
  readonly refresh: () => Promise<unknown>;
}

/** Nothing for who may not run them. A refusal stands below. */
export function ModelActions({ model, refresh }: ModelActionsProps) {
  const action = useAction();
  const isAsked = useSignal(false);
  if (!may.value("run")) return null;
  const name = nameOf(model);
  const act = async (work: (name: string) => Promise<unknown>) => {
    isAsked.value = false;
    // An earlier stop, or deletion, of that name is over: its undo would start the model as it was then.
    if (undoable.peek()?.name === name) undoable.value = undefined;
    await action.run(() => work(name));
    await refresh();
  };
  const stop = async () => {
    const run = await actions.stop(name);
    const undo = async () => {
      await actions.start(name, run);
      await refresh();
    };
    undoable.value = { name, what: "stopped", undo };
  };
  const isBusy = action.isBusy.value;
  const problem = action.problem.value;
  return (
    <span class="model-actions">
      {model.live
        ? stopButtons(name, { isAsked, isBusy, onStop: () => void act(stop) })
        : beginButton(model, isBusy, act)}
      {problem && (
        <small class="bad" role="alert">
          {problem.message}
        </small>
      )}
    </span>
  );
}

interface Stopping {
  readonly isAsked: Signal<boolean>;
  readonly isBusy: boolean;
  readonly onStop: () => void;
}

function stopButtons(name: string, { isAsked, isBusy, onStop }: Stopping) {
  const { stop, stopModel, stopAsked, keepLive } = texts.value;
  if (!isAsked.value)
    return (
      <button type="button" aria-label={stopModel(name)} onClick={() => (isAsked.value = true)}>
        {stop}
      </button>
    );
  return (
    <>
      <button type="button" class="danger" disabled={isBusy} onClick={onStop}>
        {stopAsked}
      </button>
      <button type="button" onClick={() => (isAsked.value = false)}>
        {keepLive}
      </button>
    </>
  );
}

/** Starts a trained model, and trains another one. */
function beginButton(
  model: ModelView,
  isBusy: boolean,
  act: (work: (name: string) => Promise<unknown>) => Promise<void>,
) {
  const { start, train, startModel } = texts.value;
  if (model.state.trained)
    return (
      <button
        type="button"
        aria-label={startModel(nameOf(model))}
        disabled={isBusy}
        onClick={() => void act(actions.start)}
      >
        {start}
      </button>
    );
  return (
    <button
      type="button"
      disabled={isBusy || stateOfModel(model) === "training"}
      onClick={() => void act(actions.train)}
    >
      {train}
    </button>
  );
}
