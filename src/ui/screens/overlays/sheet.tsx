// Sheet of all pages on phones, opened from below by the last button of the bar.
import { Dialog } from "../../parts/dialog.tsx";
import { Foot, Pages } from "../../parts/shell.tsx";
import { overlay } from "../../state/overlay.ts";
import { texts } from "../../state/preferences.ts";

export function Sheet() {
  const { allPages } = texts.value;
  const close = () => (overlay.value = undefined);
  return (
    <Dialog title={allPages} isSheet onClose={close}>
      <nav aria-label={allPages}>
        <Pages onPick={close} />
      </nav>
      <Foot onPick={close} />
    </Dialog>
  );
}
