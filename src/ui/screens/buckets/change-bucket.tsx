// Settings of a stored bucket: only changes are sent, on condition that nothing else has changed since.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { changesOf, readDraft, rebaseDraft } from "../../parts/form/draft.ts";
import { fieldsOf, type Schema } from "../../parts/form/fields.ts";
import { Loading, ProblemNote } from "../../parts/notes.tsx";
import { type BucketSettings, pathOfBucket, readBucket } from "../../state/buckets.ts";
import { kinds, needKinds } from "../../state/kinds.ts";
import { setParams } from "../../state/route.ts";
import { request } from "../../state/session.ts";
import { BucketForm, notShown } from "./bucket-form.tsx";

interface ChangeProps {
  readonly stored: { readonly settings: BucketSettings; readonly etag: string };
  readonly onSaved: () => void;
}

export function ChangeBucket(props: ChangeProps) {
  useEffect(needKinds, []);
  const { value, problem } = kinds.loaded.value;
  const kind = value?.buckets.find(({ type }) => type === props.stored.settings.type);
  if (problem && !value) return <ProblemNote problem={problem} again={needKinds} />;
  return kind ? <Change {...props} schema={kind.settings as Schema} /> : <Loading />;
}

function Change({ stored, onSaved, schema }: ChangeProps & { readonly schema: Schema }) {
  const { name, type } = stored.settings;
  const fields = fieldsOf(schema, "", notShown);
  /** Settings as they were stored when the changes began. */
  const before = useSignal(readDraft(fields, stored.settings));
  const draft = useSignal(before.value);
  const tag = useSignal(stored.etag);
  const changes = () => changesOf(fields, before.value, draft.value);
  const rebase = async () => {
    const fresh = await readBucket(name);
    const theirs = readDraft(fields, fresh.settings);
    draft.value = rebaseDraft(fields, { before: before.value, mine: draft.value, theirs });
    before.value = theirs;
    tag.value = fresh.etag;
  };
  return (
    <BucketForm
      schema={schema}
      draft={draft}
      isStored
      check={() => []}
      bodyOf={() => ({ name, type, ...changes() })}
      save={async () => {
        await request(pathOfBucket(name), { method: "PATCH", body: changes(), ifMatch: tag.value });
        onSaved();
      }}
      onCancel={() => setParams({ edit: undefined })}
      onConflict={rebase}
    />
  );
}
