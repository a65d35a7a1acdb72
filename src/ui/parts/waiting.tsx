// Loading note of a slow answer; after some seconds it names the reason.
import { useEffect, useState } from "preact/hooks";
import { texts } from "../state/preferences.ts";
import { Loading } from "./notes.tsx";

const LONG_MS = 4000;

interface WaitingProps {
  /** Absent: a bucket is waited for. */
  readonly reason?: string;
}

export function Waiting({ reason = texts.value.explore.slow }: WaitingProps) {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Loading />
      {isLong && <p role="status">{reason}</p>}
    </>
  );
}
