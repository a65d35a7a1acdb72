// Preview of a stored global hook in a dialog.
import { useSignal } from "@preact/signals";
import { Dialog } from "../../parts/dialog.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { useAnswer } from "../../parts/use-answer.ts";
import { previewGlobalHook } from "../../state/hooks.ts";
import { texts } from "../../state/preferences.ts";
import { Previews } from "./previews.tsx";

/** A hook of a model has its preview in its form. */
export function PreviewButton({ name }: { name: string }) {
  const isOpen = useSignal(false);
  const { allHooks: own, hooksPage } = texts.value;
  return (
    <>
      <button type="button" aria-label={own.previewOf(name)} onClick={() => (isOpen.value = true)}>
        {hooksPage.preview}
      </button>
      {isOpen.value && <PreviewDialog name={name} onClose={() => (isOpen.value = false)} />}
    </>
  );
}

function PreviewDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { value, problem, again, isLoading } = useAnswer(name, (signal) => previewGlobalHook(name, signal));
  return (
    <Dialog title={texts.value.allHooks.previewOf(name)} onClose={onClose}>
      {isLoading && <Loading />}
      {problem && <ProblemNote problem={problem} again={again} />}
      {value && <Previews list={value} />}
    </Dialog>
  );
}
