// Empty list of hooks: the kinds there are, each the way to a new hook of it.
import { KindList } from "../../parts/kind-list.tsx";
import { Empty } from "../../parts/notes.tsx";
import { kinds } from "../../state/kinds.ts";
import { may } from "../../state/session.ts";

interface NoHooksProps {
  readonly title: string;
  readonly about: string;
  readonly onAdd: (type: string) => void;
}

export function NoHooks({ title, about, onAdd }: NoHooksProps) {
  return (
    <Empty>
      <h2>{title}</h2>
      <p>{about}</p>
      <KindList
        kinds={kinds.loaded.value.value?.hooks ?? []}
        title={(type) =>
          may.value("admin") ? (
            <button type="button" class="link" onClick={() => onAdd(type)}>
              {type}
            </button>
          ) : (
            <b>{type}</b>
          )
        }
      />
    </Empty>
  );
}
