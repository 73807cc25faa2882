/** The style properties that determine a character's position in a text area. */
const COPIED = [
  "fontFamily",
  "fontSize",
  "fontWeight",
  "letterSpacing",
  "lineHeight",
  "tabSize",
  "boxSizing",
  "width",
  "paddingTop",
  "paddingRight",
  "paddingBottom",
  "paddingLeft",
  "borderTopWidth",
  "borderRightWidth",
  "borderBottomWidth",
  "borderLeftWidth",
] as const;

/** Returns the position below a character, in px from the corner of the text area. Browsers have no API for it. */
export function placeBelow(area: HTMLTextAreaElement, at: number): { left: number; top: number } {
  const copy = document.createElement("div");
  const style = getComputedStyle(area);
  for (const property of COPIED) copy.style[property] = style[property];
  Object.assign(copy.style, {
    position: "absolute",
    visibility: "hidden",
    borderStyle: "solid",
    whiteSpace: "pre-wrap",
    overflowWrap: "break-word",
  });
  copy.textContent = area.value.slice(0, at);
  const mark = document.createElement("span");
  mark.textContent = area.value.slice(at) || ".";
  copy.append(mark);
  document.body.append(copy);
  const [line] = mark.getClientRects();
  const corner = copy.getBoundingClientRect();
  copy.remove();
  if (!line) return { left: 0, top: area.offsetHeight };
  const top = line.bottom - corner.top - area.scrollTop;
  return { left: line.left - corner.left, top: Math.min(Math.max(top, 0), area.offsetHeight) };
}
