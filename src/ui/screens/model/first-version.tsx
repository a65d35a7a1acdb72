// State of a model without a version: points counted so far, its training, or why that failed.
import { nameOf } from "../../lib/model-state.ts";
import { addressOfTab, type ModelTabProps } from "../../parts/model-tabs.tsx";
import { isOpen } from "../../state/jobs.ts";
import { texts } from "../../state/preferences.ts";
import { TrainingCard } from "./training-card.tsx";

export function FirstVersion({ model }: Pick<ModelTabProps, "model">) {
  const { state, training, live } = model;
  if (state.trained) return null;
  const learning = training && isOpen(training) ? undefined : live?.learning;
  const toTraining = () => {
    location.hash = addressOfTab(nameOf(model), "versions");
  };
  return (
    <>
      {learning && <p class="note">{texts.value.learningLive(learning.points, learning.needed)}</p>}
      {training && <TrainingCard model={model} onAgain={toTraining} />}
    </>
  );
}
