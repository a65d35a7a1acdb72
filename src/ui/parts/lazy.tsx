// Components in files of their own, loaded when first shown, with the styles and texts of the screens.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { Problem } from "../api/client.ts";
import { loadScreenTexts } from "../state/preferences.ts";
import { Loading, ProblemNote } from "./notes.tsx";

/** The server did not give a file of a screen, and does not answer either. */
const away = new Problem(0, "unreachable", "");

/** A component in a file of its own. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>) {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  const isAway = signal(false);
  let isLoading = false;
  const start = () => {
    isLoading = true;
    isAway.value = false;
    Promise.all([load(), loadStyles(), loadScreenTexts()]).then(
      ([component]) => (loaded.value = component),
      async () => {
        if (await isAnswering()) reloadOnce();
        else isAway.value = true;
      },
    );
  };
  return function Lazy(props: P) {
    if (!isLoading) start();
    const Component = loaded.value;
    if (Component) return <Component {...props} />;
    return isAway.value ? <ProblemNote problem={away} again={start} /> : <Loading />;
  };
}

/** Whether the server answers: then it was upgraded, and the files of the old page are gone. */
function isAnswering(): Promise<boolean> {
  return fetch("./", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

let styles: Promise<void> | undefined;

/** Styles of the screens beyond the list. */
export function loadStyles(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = document.querySelector<HTMLMetaElement>('meta[name="screens"]')!.content;
    link.onload = () => resolve();
    link.onerror = () => {
      // So that the next screen asks again.
      styles = undefined;
      link.remove();
      reject(new Error("styles not loaded"));
    };
    document.head.append(link);
  });
  return styles;
}

function reloadOnce(): void {
  const at = Number(sessionStorage.getItem("torus.reloaded") ?? 0);
  if (Date.now() - at < 60_000) return;
  sessionStorage.setItem("torus.reloaded", String(Date.now()));
  location.reload();
}
