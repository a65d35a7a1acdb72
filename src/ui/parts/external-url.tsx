// Address that mails and chats link to: asked for while the server knows none, changed in the settings.
import { useSignal } from "@preact/signals";
import { texts } from "../state/preferences.ts";
import { openSession, request, session } from "../state/session.ts";
import { useAction } from "./action.ts";
import { ProblemNote } from "./notes.tsx";

const DISMISSED = "torus.noExternalUrl";
const ownHosts = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** The address of this page without the dashboard; empty where others cannot reach it. */
function proposal(): string {
  if (ownHosts.test(location.hostname)) return "";
  return new URL("..", location.href.replace(/#.*$/, "")).href.replace(/\/$/, "");
}

/** @param isAsked with a way to say no, and gone after an answer */
export function ExternalUrlForm({ isAsked = false }: { readonly isAsked?: boolean }) {
  const { externalUrl: own } = texts.value;
  const known = session.value?.external_url;
  const url = useSignal(known ?? proposal());
  const isSaved = useSignal(false);
  const isDismissed = useSignal(localStorage.getItem(DISMISSED) !== null);
  const action = useAction();
  if (isAsked && (known !== undefined || isDismissed.value)) return null;
  const save = async () => {
    const body = { url: url.value.trim() || null };
    isSaved.value = await action.run(async () => {
      await request("/external_url", { method: "PUT", body });
      await openSession();
    });
  };
  const dismiss = () => {
    localStorage.setItem(DISMISSED, "1");
    isDismissed.value = true;
  };
  return (
    <form
      class={isAsked ? "note" : "form"}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        {known === undefined ? own.ask : own.known}
        <input
          type="url"
          value={url.value}
          required={isAsked}
          placeholder={`${location.protocol}//torus.example.org`}
          onInput={({ currentTarget }) => (url.value = currentTarget.value)}
        />
      </label>
      <p class="actions">
        <button type="submit" disabled={action.isBusy.value}>
          {own.use}
        </button>
        {isAsked && (
          <button type="button" onClick={dismiss}>
            {own.notNow}
          </button>
        )}
        <span role="status">{isSaved.value ? own.saved : ""}</span>
      </p>
      {action.problem.value && <ProblemNote problem={action.problem.value} />}
    </form>
  );
}
