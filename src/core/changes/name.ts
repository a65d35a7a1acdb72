// Names of recorded changes in texts: kind and title.

export const DEFAULT_KIND = "deploy";

/** Earlier changes from which on the history says something. */
export const TELLING_CHANGES = 2;

/** Kind and title, as in `deploy web 1.9.2`; a title that begins with the kind stands alone. */
export function nameOfChange({ kind, title }: { readonly kind: string; readonly title: string }): string {
  const begins = title.toLowerCase().startsWith(`${kind.toLowerCase()} `);
  return begins ? title : `${kind} ${title}`;
}
