// Login: a token, kept in this window or on this device.
import { useSignal } from "@preact/signals";
import type { TargetedSubmitEvent } from "preact";
import { Problem } from "../../api/client.ts";
import { texts } from "../../state/preferences.ts";
import { session, signIn } from "../../state/session.ts";

export function Login() {
  const problem = useSignal<string | undefined>(undefined);
  const {
    signIn: title,
    token,
    keepSignedIn,
    howToToken,
    wrongToken,
    waitSeconds,
    lost,
    unreachable,
  } = texts.value;
  const submit = async (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    problem.value = undefined;
    try {
      await signIn(String(data.get("token") ?? "").trim(), data.has("keep"));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { status, retryAfter = 60 } = error;
      problem.value = status === 0 ? unreachable : status === 429 ? waitSeconds(retryAfter) : wrongToken;
    }
  };
  return (
    <div class="login">
      <form onSubmit={submit} aria-labelledby="login-title">
        <h1 id="login-title">{title}</h1>
        {session.value && <p role="status">{lost}</p>}
        <label>
          {token}
          <input name="token" type="password" autocomplete="current-password" required />
        </label>
        <label class="check">
          <input name="keep" type="checkbox" /> {keepSignedIn}
        </label>
        {problem.value && <p role="alert">{problem.value}</p>}
        <button type="submit" class="primary">
          {title}
        </button>
        <p class="quiet">{howToToken}</p>
      </form>
    </div>
  );
}
