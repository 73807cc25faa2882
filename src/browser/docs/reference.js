// Removes keys and tokens that an earlier version of the page stored. This version keeps them only while it is open.
localStorage.removeItem("authorized");

// Swagger UI has a dark theme, which the page must turn on.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

// Replaces Swagger UI's resolver, which processes the whole document for every opened operation. That takes seconds for a
// document of this size. All references point into the document itself.
const resolvingLocally = {
  fn: {
    resolveSubtree: async (document, path) => {
      const subtree = path.reduce((value, key) => value?.[key], document);
      return { spec: resolved(subtree, document, []), errors: [] };
    },
  },
};

/** Returns a value with its references replaced by their targets. A reference to a surrounding schema is kept. */
function resolved(value, document, within) {
  if (Array.isArray(value)) return value.map((one) => resolved(one, document, within));
  if (value === null || typeof value !== "object") return value;
  const { $ref: reference } = value;
  if (typeof reference !== "string")
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolved(one, document, within)]));
  if (within.includes(reference)) return value;
  const keys = reference.slice("#/".length).split("/");
  const target = keys.reduce((one, key) => one?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  return resolved(target, document, [...within, reference]);
}

// Replaces the link that Swagger UI puts into the button that opens an operation, because screen readers and the keyboard
// cannot tell the two apart. The address of the page still names the open operation.
const pathsAsText = {
  wrapComponents: {
    DeepLink: (Original, { React }) =>
      function DeepLink(props) {
        const isOfOperation = props.path.includes("/");
        return isOfOperation ? React.createElement("span", null, props.text) : React.createElement(Original, props);
      },
  },
};

// Lets the browser scroll to the operation of the address, because Swagger UI hides its first line behind the header.
// Swagger UI's second request, for a shortened list, would wait until the reader has opened 150 sections and operations,
// and move them then.
const scrollingOnce = {
  statePlugins: {
    layout: {
      wrapActions: {
        scrollToElement: () => (element) => element.scrollIntoView(),
        scrollToVirtualizedOperation: () => () => {},
      },
    },
  },
};

SwaggerUIBundle({
  plugins: [resolvingLocally, pathsAsText, scrollingOnce],
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  // A list of 150 and more keeps only what is in view in the page. Then the browser's search misses the rest, and a slow
  // page scrolls past the operation of its address.
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});

// Names the controls that Swagger UI leaves without a name, and lets the keyboard reach boxes that scroll.
const reference = document.getElementById("reference");
const NAMELESS = ":is(select, textarea, input, button.close-modal):not([aria-label], [aria-labelledby])";
const nameOf = (control) => {
  if (control.id === "servers") return "Server";
  if (control.matches("button")) return "Close";
  const row = control.closest("tr, .parameters");
  return row?.querySelector(".parameter__name")?.firstChild?.textContent || "Request body";
};
new MutationObserver(() => {
  for (const control of reference.querySelectorAll(NAMELESS)) {
    if (control.id === "servers" || !control.labels?.length) control.setAttribute("aria-label", nameOf(control));
  }
  for (const box of reference.querySelectorAll("pre:not([tabindex])")) box.tabIndex = 0;
}).observe(reference, { childList: true, subtree: true });
