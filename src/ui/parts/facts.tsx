// Facts as a list of names and values, each value above its name.
interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: string | undefined])[];
}

export function Facts({ facts }: FactsProps) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
