/** Builds the pages under /docs as complete HTML documents with one header and nothing inline. */
import { asHtml } from "./markdown.ts";
import type { Page, Section } from "./pages.ts";

/** Returns the address of a static file, whose name changes with its content. */
export type FileAddress = (name: string) => string;

interface Frame {
  title: string;
  description?: string;
  /** The header's entry that the page belongs to. */
  within: "guides" | "reference" | null;
  body: string;
  styles?: string[];
  scripts?: string[];
}

const HOME = "/docs/guides";

function frame(
  file: FileAddress,
  { title, description, within, body, styles = ["docs.css"], scripts = [] }: Frame,
): string {
  const here = (name: Frame["within"]) => (within === name ? ' aria-current="true"' : "");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${description === undefined ? "" : `<meta name="description" content="${asHtml(description)}">\n`}<title>${asHtml(title)}</title>
<link rel="icon" href="${file("icon.svg")}" type="image/svg+xml">
${styles.map((name) => `<link rel="stylesheet" href="${file(name)}">`).join("\n")}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">
<a class="brand" href="${HOME}"><img src="${file("icon.svg")}" alt="" width="26" height="26">Switchboard</a>
<nav aria-label="Documentation"><a href="${HOME}"${here("guides")}>Guides</a><a href="/docs"${here("reference")}>Reference</a><a href="/openapi.json">openapi.json</a></nav>
</header>
${body}
${scripts.map((name) => `<script src="${file(name)}"></script>\n`).join("")}</body>
</html>
`;
}

/** Returns the API reference, which Swagger UI draws below links to the guides. */
export function referencePage(file: FileAddress, pages: Page[]): string {
  const guides = of(pages, "Guides")
    .map(({ path, title }) => `<li><a href="${path}">${asHtml(title)}</a></li>`)
    .join("\n");
  return frame(file, {
    title: "API reference · Switchboard",
    within: "reference",
    body: `<div id="content"><nav class="jobs" aria-labelledby="jobs"><h2 id="jobs">New here? Start with a guide</h2>
<ul>
${guides}
</ul></nav>
<div id="reference"></div>
<noscript><p class="notice">The reference needs JavaScript. <a href="/openapi.json">The OpenAPI document</a> doesn't, nor do <a href="${HOME}">the guides</a>.</p></noscript></div>`,
    styles: ["swagger-ui.css", "docs.css", "reference.css"],
    scripts: ["swagger-ui-bundle.js", "reference.js"],
  });
}

export function documentPage(file: FileAddress, page: Page, pages: Page[]): string {
  return frame(file, {
    title: `${page.title} · Switchboard`,
    description: page.summary,
    within: "guides",
    body: `<div class="page">
<main id="content"><article>
${page.html}</article>
${neighbours(page, pages)}</main>
${navigation(page, pages)}
</div>`,
    scripts: ["copy.js"],
  });
}

export function indexPage(file: FileAddress, pages: Page[]): string {
  const cards = (section: Section) =>
    of(pages, section)
      .map(({ path, title, summary }) => `<li><a href="${path}">${asHtml(title)}</a><p>${asHtml(summary)}</p></li>`)
      .join("\n");
  return frame(file, {
    title: "Guides · Switchboard",
    description: "From your first agent to campaigns on your own carrier.",
    within: "guides",
    body: `<main id="content" class="index">
<h1>Build with Switchboard</h1>
<p class="lead">Voice agents that place and answer calls and chat on your website. Start on your own machine: the sandbox needs no carrier, no model and no accounts elsewhere.</p>
<h2>Guides</h2>
<ol class="cards">
${cards("Guides")}
<li><a href="/docs">API reference</a><p>Every endpoint with its parameters, responses and errors, and a way to try it.</p></li>
</ol>
<h2>In depth</h2>
<ul class="cards small">
${cards("In depth")}
</ul>
</main>`,
  });
}

export function notFoundPage(file: FileAddress): string {
  return frame(file, {
    title: "Not found · Switchboard",
    within: null,
    body: `<main id="content" class="index">
<h1>Page not found</h1>
<p class="lead">It may have moved. See all <a href="${HOME}">guides</a>, or the <a href="/docs">API reference</a>.</p>
</main>`,
  });
}

function navigation(current: Page, pages: Page[]): string {
  const item = (page: Page) =>
    page === current
      ? `<li><a href="${page.path}" aria-current="page">${asHtml(page.title)}</a>${chapters(page)}</li>`
      : `<li><a href="${page.path}">${asHtml(page.title)}</a></li>`;
  const list = (section: Section) => `<h2>${section}</h2>\n<ul>\n${of(pages, section).map(item).join("\n")}\n</ul>`;
  return `<nav class="side" aria-label="Pages">\n${list("Guides")}\n${list("In depth")}\n</nav>`;
}

function chapters({ chapters }: Page): string {
  if (chapters.length === 0) return "";
  return `\n<ul>${chapters.map(({ id, html }) => `<li><a href="#${id}">${html}</a></li>`).join("")}</ul>`;
}

/** Returns links to the previous and the next page. */
function neighbours(page: Page, pages: Page[]): string {
  const at = pages.indexOf(page);
  const link = (to: Page | undefined, rel: "prev" | "next", word: string) =>
    to ? `<a rel="${rel}" href="${to.path}"><small>${word}</small>${asHtml(to.title)}</a>` : "";
  return `<nav class="neighbours" aria-label="Next and previous">${link(pages[at - 1], "prev", "Previous")}${link(pages[at + 1], "next", "Next")}</nav>`;
}

const of = (pages: Page[], section: Section) => pages.filter((page) => page.section === section);

/** Returns a page that redirects from the old address of a document. */
export function movedPage(address: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Moved</title>
<meta http-equiv="refresh" content="0; url=${address}">
<link rel="canonical" href="${address}">
</head>
<body><p>This page is at <a href="${address}">${address}</a> now.</p></body>
</html>
`;
}
