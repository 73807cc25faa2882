import { type JSX, splitProps } from "solid-js";
import { Dynamic } from "solid-js/web";

interface Arranged {
  /** The element, if it isn't a `div`. A list has no markers. */
  as?: "div" | "ul" | "p" | "span";
  /** Space between the children, px; `[between rows, between columns]`. */
  gap?: number | [rows: number, columns: number];
  /** Maximum width, px. */
  max?: number;
  align?: "start" | "center" | "baseline" | "end";
  "aria-label"?: string;
  children: JSX.Element;
}

export function Stack(props: Arranged) {
  return arranged("stack", props, {});
}

export function Row(props: Arranged & { justify?: "space-between" | "center" | "end" }) {
  const [own, rest] = splitProps(props, ["justify"]);
  return arranged("row", rest, { "justify-content": own.justify });
}

/** Children in columns: as `columns` says, or as many as fit with at least `min` px each. */
export function Grid(props: Arranged & { min?: number; columns?: string }) {
  const [own, rest] = splitProps(props, ["min", "columns"]);
  const columns = own.columns ?? `repeat(auto-fit, minmax(min(${own.min}px, 100%), 1fr))`;
  return arranged("stack", rest, { "grid-template-columns": columns });
}

function arranged(look: "stack" | "row", props: Arranged, more: JSX.CSSProperties) {
  const [own, rest] = splitProps(props, ["as", "gap", "max", "align"]);
  const style = { gap: px(own.gap), "max-width": px(own.max), "align-items": own.align };
  return <Dynamic component={own.as ?? "div"} class={look} style={Object.assign(style, more)} {...rest} />;
}

function px(sizes: number | number[] | undefined): string | undefined {
  if (sizes === undefined) return undefined;
  return [sizes]
    .flat()
    .map((size) => `${size}px`)
    .join(" ");
}
