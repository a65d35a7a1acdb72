// Details that open when something in them must be seen, and stay open after it.
import type { ComponentChildren } from "preact";
import { useRef } from "preact/hooks";

interface OpeningProps {
  readonly isOpen: boolean;
  readonly class?: string;
  /** The summary is the first. */
  readonly children: ComponentChildren;
}

export function Opening({ isOpen, ...rest }: OpeningProps) {
  // What is being corrected does not close once it is right.
  const wasOpen = useRef(isOpen);
  wasOpen.current ||= isOpen;
  return <details open={wasOpen.current || undefined} {...rest} />;
}
