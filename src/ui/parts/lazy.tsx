// Components in files of their own, loaded when first shown, with the styles and texts of the screens.
import { signal } from "@preact/signals";
import type { ComponentType } from "preact";
import { loadScreenTexts } from "../state/preferences.ts";
import { Loading } from "./notes.tsx";

/** A component in a file of its own. */
export function lazy<P extends object>(load: () => Promise<ComponentType<P>>) {
  const loaded = signal<ComponentType<P> | undefined>(undefined);
  let isLoading = false;
  return function Lazy(props: P) {
    if (!isLoading) {
      isLoading = true;
      Promise.all([load(), loadStyles(), loadScreenTexts()]).then(
        ([component]) => (loaded.value = component),
        // The server was upgraded: the files of the old page are gone.
        () => reloadOnce(),
      );
    }
    const Component = loaded.value;
    return Component ? <Component {...props} /> : <Loading />;
  };
}

let styles: Promise<void> | undefined;

/** Styles of the screens beyond the list. */
function loadStyles(): Promise<void> {
  styles ??= new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = document.querySelector<HTMLMetaElement>('meta[name="screens"]')!.content;
    link.onload = () => resolve();
    link.onerror = reject;
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
