// Settings of this browser, the session, health and keys.
import type { Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { language, languages, texts, theme, themes, zone, zones } from "../state/preferences.ts";
import { createResource } from "../state/resource.ts";
import { request, session, signOut } from "../state/session.ts";

const POLL_MS = 15_000;
const names = { en: "English", de: "Deutsch" } as const;

const health = createResource((signal) => request<{ ready: boolean }>("/readyz", { signal }));

export function Settings() {
  useEffect(() => health.follow(POLL_MS, []), []);
  const own = texts.value;
  const { settings, about, keys, keyList, health: healthTitle } = own;
  const { value, problem } = health.loaded.value;
  return (
    <>
      <header class="head">
        <h1>{settings}</h1>
      </header>
      <section class="card form">
        <Choice label={own.language} of={language} values={languages} name={(key) => names[key]} />
        <Choice label={own.theme} of={theme} values={themes} name={(key) => own.themes[key]} />
        <Choice label={own.zone} of={zone} values={zones} name={(key) => own.zones[key]} />
      </section>
      <section class="card">
        <h2>{own.session}</h2>
        <SessionFacts />
        <h2>{healthTitle}</h2>
        <p>{value?.ready ? own.healthy : problem ? `${own.unhealthy}: ${problem.message}` : own.unhealthy}</p>
        <h2>{about}</h2>
        <p>{session.value && own.version(session.value.version)}</p>
        <h2>{keys}</h2>
        <dl class="keys">
          {Object.entries(keyList).map(([key, meaning]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </section>
    </>
  );
}

function SessionFacts() {
  const { noTokens, signedInAs, signOut: leave } = texts.value;
  const own = session.value;
  if (!own?.auth) return <p>{noTokens}</p>;
  return (
    <p>
      {signedInAs(own.name ?? "", own.scope)}{" "}
      <button type="button" onClick={signOut}>
        {leave}
      </button>
    </p>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly of: Signal<T>;
  readonly values: readonly T[];
  readonly name: (value: T) => string;
}

function Choice<T extends string>({ label, of, values, name }: ChoiceProps<T>) {
  return (
    <label>
      {label}
      <select value={of.value} onChange={({ currentTarget }) => (of.value = currentTarget.value as T)}>
        {values.map((value) => (
          <option key={value} value={value}>
            {name(value)}
          </option>
        ))}
      </select>
    </label>
  );
}
