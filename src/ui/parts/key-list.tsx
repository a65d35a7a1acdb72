// The keys of the page with their meaning.
import { texts } from "../state/preferences.ts";

export function KeyList() {
  return (
    <dl class="keys">
      {Object.entries(texts.value.keyList).map(([key, meaning]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
