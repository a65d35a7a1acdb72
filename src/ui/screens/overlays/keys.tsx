// Dialog of the keys.
import { Dialog } from "../../parts/dialog.tsx";
import { KeyList } from "../../parts/key-list.tsx";
import { overlay } from "../../state/overlay.ts";
import { texts } from "../../state/preferences.ts";

export function Keys() {
  return (
    <Dialog title={texts.value.keys} onClose={() => (overlay.value = undefined)}>
      <KeyList />
    </Dialog>
  );
}
