// Actions of a model: train, start, and stop, which is asked once more as it ends the anomalies in progress.
import { useSignal } from "@preact/signals";
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
  const { start, stop, train, startModel, stopModel, stopAsked, keepLive } = texts.value;
  const name = nameOf(model);
  const act = async (work: (name: string) => Promise<unknown>) => {
    isAsked.value = false;
    // An earlier stop, or deletion, of that name is over: its undo would start the model as it was then.
    if (undoable.peek()?.name === name) undoable.value = undefined;
    await action.run(() => work(name));
    await refresh();
  };
  const stopIt = async () => {
    const run = await actions.stop(name);
    const undo = async () => {
      await actions.start(name, run);
      await refresh();
    };
    undoable.value = { name, what: "stopped", undo };
  };
  const isBusy = action.isBusy.value;
  const problem = action.problem.value;
  const button = () => {
    if (model.live && isAsked.value)
      return (
        <>
          <button type="button" class="danger" disabled={isBusy} onClick={() => void act(stopIt)}>
            {stopAsked}
          </button>
          <button type="button" onClick={() => (isAsked.value = false)}>
            {keepLive}
          </button>
        </>
      );
    if (model.live)
      return (
        <button type="button" aria-label={stopModel(name)} onClick={() => (isAsked.value = true)}>
          {stop}
        </button>
      );
    if (model.state.trained)
      return (
        <button
          type="button"
          aria-label={startModel(name)}
          disabled={isBusy}
          onClick={() => void act(actions.start)}
        >
          {start}
        </button>
      );
    const isTraining = stateOfModel(model) === "training";
    return (
      <button type="button" disabled={isBusy || isTraining} onClick={() => void act(actions.train)}>
        {train}
      </button>
    );
  };
  return (
    <span class="model-actions">
      {button()}
      {problem && (
        <small class="bad" role="alert">
          {problem.message}
        </small>
      )}
    </span>
  );
}
