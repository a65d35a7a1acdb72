// Wait for a bucket: loading, and after some seconds a sentence on how long it may take.
import { useEffect, useState } from "preact/hooks";
import { texts } from "../state/preferences.ts";
import { Loading } from "./notes.tsx";

const LONG_MS = 4000;

export function Waiting() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <>
      <Loading />
      {isLong && <p role="status">{texts.value.explore.slow}</p>}
    </>
  );
}
