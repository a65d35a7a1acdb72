// Settings of this browser, the session, health and keys.

import type { Signal } from "@preact/signals";
import { Select } from "../../parts/form/controls.tsx";
import { KeyList } from "../../parts/key-list.tsx";
import {
  language,
  languages,
  letterKeys,
  texts,
  theme,
  themes,
  zone,
  zones,
} from "../../state/preferences.ts";
import { may, session, signOut } from "../../state/session.ts";
import { Bin } from "./bin.tsx";
import { Calendars } from "./calendars.tsx";
import { Nodes } from "./nodes.tsx";
import { Server, Templates } from "./server.tsx";
import { Tokens } from "./tokens.tsx";

const names = { en: "English", de: "Deutsch" } as const;

export function Settings() {
  const own = texts.value;
  const { settings, keys } = own;
  return (
    <>
      <header class="head">
        <h1>{settings}</h1>
      </header>
      <section class="card form choices">
        <Choice label={own.language} of={language} values={languages} name={(key) => names[key]} />
        {language.value !== "en" && <small>{own.schemaLanguage}</small>}
        <Choice label={own.theme} of={theme} values={themes} name={(key) => own.themes[key]} />
        <Choice
          label={own.letterKeys}
          of={letterKeys}
          values={["on", "off"] as const}
          name={(key) => own.letterKeysOf[key]}
        />
        <Choice label={own.zone} of={zone} values={zones} name={(key) => own.zones[key]} />
      </section>
      <SessionCard />
      {may.value("admin") && <Tokens />}
      {may.value("admin") && <Bin />}
      <Server />
      <Nodes />
      <Calendars />
      <Templates />
      <section class="card">
        <h2>{keys}</h2>
        <KeyList />
      </section>
    </>
  );
}

/** Of a server with tokens. */
function SessionCard() {
  const { session: title, signedInAs, signOut: leave } = texts.value;
  const own = session.value;
  if (!own?.auth) return null;
  return (
    <section class="card">
      <h2>{title}</h2>
      <p>
        {signedInAs(own.name ?? "", own.scope)}{" "}
        <button type="button" onClick={signOut}>
          {leave}
        </button>
      </p>
    </section>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly of: Signal<T>;
  readonly values: readonly T[];
  readonly name: (value: T) => string;
}

function Choice<T extends string>({ label, of, values, name }: ChoiceProps<T>) {
  const options = values.map((value) => [value, name(value)] as const);
  return <Select label={label} value={of.value} options={options} onChange={(value) => (of.value = value)} />;
}
