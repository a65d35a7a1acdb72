// Sparkline of a row: asked for when the row comes into view; cards of models without points leave it out.
import { useEffect, useRef } from "preact/hooks";
import { Spark } from "../../parts/pictures/spark.tsx";
import { sparks, unwantSpark, wantSpark } from "../../state/sparks.ts";

export function SparkCell({ name }: { name: string }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const sight = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting) wantSpark(name);
      else unwantSpark(name);
    });
    // The row: a cell that is left out is never in view.
    sight.observe(element.current!.closest("tr")!);
    return () => {
      sight.disconnect();
      unwantSpark(name);
    };
  }, [name]);
  const data = sparks.value.get(name);
  const hasNone = sparks.value.has(name) && !data;
  return (
    <span class={hasNone ? "lately none" : "lately"} ref={element}>
      <Spark data={data} />
    </span>
  );
}
