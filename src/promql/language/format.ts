// Expressions as text, in the spelling of Prometheus.
import { NAME } from "../labels.ts";
import type { Aggregation, Binary, Expression, Place, VectorSelector } from "./expression.ts";
import { formatDuration, formatNumber, formatString } from "./literals.ts";

/** Parsed again it is the same expression. */
export function formatExpression(expression: Expression): string {
  switch (expression.type) {
    case "number":
      return formatNumber(expression.value);
    case "string":
      return formatString(expression.value);
    case "vector":
      return formatSelector(expression) + formatPlace(expression);
    case "range":
      return `${formatSelector(expression.selector)}[${formatDuration(expression.rangeMs)}]${formatPlace(expression.selector)}`;
    case "subquery": {
      const step = expression.stepMs === undefined ? "" : formatDuration(expression.stepMs);
      return `${formatExpression(expression.of)}[${formatDuration(expression.rangeMs)}:${step}]${formatPlace(expression)}`;
    }
    case "call":
      return `${expression.name}(${expression.args.map(formatExpression).join(", ")})`;
    case "aggregation":
      return formatAggregation(expression);
    case "binary":
      return formatBinary(expression);
    case "unary":
      return `${expression.op}${formatExpression(expression.of)}`;
    case "paren":
      return `(${formatExpression(expression.of)})`;
  }
}

const isPlain = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const isLabel = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

function formatSelector({ matchers }: VectorSelector): string {
  const named = matchers.find(({ name, op, value }) => name === NAME && op === "=" && isPlain.test(value));
  const others = matchers
    .filter((matcher) => matcher !== named)
    .map(
      ({ name, op, value }) => `${isLabel.test(name) ? name : formatString(name)}${op}${formatString(value)}`,
    );
  if (named && others.length === 0) return named.value;
  return `${named?.value ?? ""}{${others.join(",")}}`;
}

function formatPlace({ at, offsetMs }: Place): string {
  const instant = typeof at === "number" ? (at / 1000).toFixed(3) : `${at}()`;
  const shown = at === undefined ? "" : ` @ ${instant}`;
  return offsetMs === 0 ? shown : `${shown} offset ${formatDuration(offsetMs)}`;
}

const formatLabelList = (labels: readonly string[]) =>
  `(${labels.map((label) => (isLabel.test(label) ? label : formatString(label))).join(", ")})`;

function formatAggregation({ op, of, param, grouping, isWithout }: Aggregation): string {
  const args = [...(param ? [param] : []), of].map(formatExpression).join(", ");
  if (isWithout) return `${op} without ${formatLabelList(grouping)} (${args})`;
  return grouping.length > 0 ? `${op} by ${formatLabelList(grouping)} (${args})` : `${op}(${args})`;
}

function formatBinary({ op, left, right, isBool, matching }: Binary): string {
  const { isOn, labels, many, include, isExplicit } = matching;
  const how =
    isExplicit && (isOn || labels.length > 0 || many)
      ? ` ${isOn ? "on" : "ignoring"} ${formatLabelList(labels)}`
      : "";
  const group = many ? ` group_${many} ${formatLabelList(include)}` : "";
  return `${formatExpression(left)} ${op}${isBool ? " bool" : ""}${how}${group} ${formatExpression(right)}`;
}
