// Sparkline of a row: asked for when the row comes into view.
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
    sight.observe(element.current!);
    return () => {
      sight.disconnect();
      unwantSpark(name);
    };
  }, [name]);
  return (
    <span class="lately" ref={element}>
      <Spark data={sparks.value.get(name)} />
    </span>
  );
}
