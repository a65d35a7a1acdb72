// Tokens: made and shown once, revoked after their name was typed.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TokenView } from "../../../api/token.ts";
import { useAction } from "../../parts/action.ts";
import { ConfirmDelete } from "../../parts/confirm-delete.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { ActionForm, Input, Select } from "../../parts/form/controls.tsx";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { NoValue, Table } from "../../parts/table.tsx";
import { serverNow } from "../../state/clock.ts";
import { moments, texts } from "../../state/preferences.ts";
import { createResource } from "../../state/resource.ts";
import { openSession, request, session, signIn } from "../../state/session.ts";

const scopes = ["read", "run", "admin"] as const;
const periods = ["", "30d", "90d", "365d"] as const;

const tokens = createResource((signal) => request<readonly TokenView[]>("/tokens", { signal }));

export function Tokens() {
  useEffect(() => void tokens.refresh(), []);
  const isMaking = useSignal(false);
  const { openMachine, tokensCard } = texts.value;
  const { title, what, add, columns } = tokensCard;
  const { value, problem } = tokens.loaded.value;
  return (
    <section class="card" aria-labelledby="tokens">
      <header class="card-head">
        <h2 id="tokens">{title}</h2>
        {/* Only the list says whether a new token is the first one, which has scope admin. */}
        <button type="button" disabled={!value} onClick={() => (isMaking.value = true)}>
          {add}
        </button>
      </header>
      <p class="quiet">{what}</p>
      {problem && <ProblemNote problem={problem} again={() => void tokens.refresh()} />}
      {!value && !problem && <Loading />}
      {value?.length === 0 && <p>{openMachine}</p>}
      {value && value.length > 0 && (
        <Table titles={Object.values(columns)}>
          {value.map((token) => (
            <Row key={token.name} token={token} isLast={value.length === 1} />
          ))}
        </Table>
      )}
      {isMaking.value && (
        <NewTokenDialog isFirst={value?.length === 0} onClose={() => (isMaking.value = false)} />
      )}
    </section>
  );
}

function Row({ token, isLast }: { token: TokenView; isLast: boolean }) {
  const { expired, configured, revoke, revokeToken, revokeLast, own } = texts.value.tokensCard;
  const isRevoking = useSignal(false);
  const { name, scope, created_timestamp, last_used_timestamp, expires_timestamp } = token;
  const moment = (at: number | undefined) =>
    at === undefined ? <NoValue /> : moments.value.moment(at, serverNow());
  return (
    <tr>
      <th scope="row">
        {name} {session.value?.name === name && <small>{own}</small>}
      </th>
      <td>{scope}</td>
      <td>{token.configured ? configured : moment(created_timestamp)}</td>
      <td>{moment(last_used_timestamp)}</td>
      <td>{token.expired ? <strong class="bad">{expired}</strong> : moment(expires_timestamp)}</td>
      <td>
        {!token.configured && (
          <button type="button" aria-label={revokeToken(name)} onClick={() => (isRevoking.value = true)}>
            {revoke}
          </button>
        )}
        {isRevoking.value && (
          <ConfirmDelete
            isFinal
            name={name}
            title={revokeToken(name)}
            {...(isLast && { warning: revokeLast })}
            work={() =>
              request(`/tokens/${encodeURIComponent(name)}${isLast ? "?force=true" : ""}`, {
                method: "DELETE",
              })
            }
            onClose={() => (isRevoking.value = false)}
            onDeleted={async () => {
              await tokens.refresh();
              await openSession();
            }}
          />
        )}
      </td>
    </tr>
  );
}

interface NewTokenProps {
  /** The first one closes the server, for this page as well. */
  readonly isFirst: boolean;
  readonly onClose: () => void;
}

function NewTokenDialog({ isFirst, onClose }: NewTokenProps) {
  const { add, name, columns, validity, validities, make, firstWarning } = texts.value.tokensCard;
  const draft = useSignal({ name: "", scope: isFirst ? "admin" : "read", expires_in: "" });
  const secret = useSignal<string | undefined>(undefined);
  const action = useAction();
  const set = (change: Partial<typeof draft.value>) => (draft.value = { ...draft.value, ...change });
  const submit = () =>
    action.run(async () => {
      const { expires_in, ...rest } = draft.value;
      const body = { ...rest, ...(expires_in && { expires_in }) };
      const made = await request<{ token: string }>("/tokens", { method: "POST", body });
      secret.value = made.token;
      // Until the window is closed: without it, this page would have no rights any more.
      if (isFirst) await signIn(made.token, false);
      await tokens.refresh();
    });
  if (secret.value !== undefined) return <Secret secret={secret.value} onClose={onClose} />;
  return (
    <Dialog title={add} onClose={onClose}>
      <ActionForm action={action} onSubmit={submit} send={make}>
        {isFirst && <p>{firstWarning}</p>}
        <Input label={name} required value={draft.value.name} onInput={(name) => set({ name })} />
        <Select
          label={columns.scope}
          value={draft.value.scope}
          disabled={isFirst}
          options={scopes}
          onChange={(scope) => set({ scope })}
        />
        <Select
          label={validity}
          value={draft.value.expires_in}
          options={periods.map((period) => [period, validities[period === "" ? "always" : period]] as const)}
          onChange={(expires_in) => set({ expires_in })}
        />
      </ActionForm>
    </Dialog>
  );
}

function Secret({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { made, onlyOnce, secretLabel, copy, copied } = texts.value.tokensCard;
  const isCopied = useSignal(false);
  const toClipboard = async () => {
    // Absent on pages of plain HTTP: the field can be copied by hand.
    await navigator.clipboard?.writeText(secret);
    isCopied.value = navigator.clipboard !== undefined;
  };
  return (
    <Dialog title={made} onClose={onClose}>
      <p>{onlyOnce}</p>
      <div class="form">
        <label>
          {secretLabel}
          <input
            class="code"
            readOnly
            value={secret}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
        </label>
        <div class="actions">
          <button type="button" class="primary" onClick={() => void toClipboard().catch(() => undefined)}>
            {copy}
          </button>
          <span role="status">{isCopied.value ? copied : ""}</span>
        </div>
      </div>
    </Dialog>
  );
}
