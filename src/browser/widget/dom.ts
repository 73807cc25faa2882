const ICONS = {
  chat: ["M21 12a8 8 0 0 1-8 8H4l2-3.5A8 8 0 1 1 21 12z", "M9 12h.01M13 12h.01M17 12h.01"],
  close: ["M18 6 6 18M6 6l12 12"],
  send: ["M12 19V5M6 11l6-6 6 6"],
};

/** Creates an element with attributes and children. Strings become text nodes: no markup is parsed. */
export function make<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** Creates an icon that screen readers skip. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  for (const d of ICONS[name]) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", d);
    svg.append(path);
  }
  return svg;
}

/** Creates the account's logo, which removes itself if it does not load. */
export function logo(url: string): HTMLElement[] {
  if (url === "") return [];
  const image = make("img", { src: url, alt: "", referrerpolicy: "no-referrer", decoding: "async" });
  image.addEventListener("error", () => image.remove());
  return [image];
}
