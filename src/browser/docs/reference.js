// Keys and tokens entered here live as long as the page; an earlier version of it kept them in the browser.
localStorage.removeItem("authorized");

// Swagger UI has a dark dress, and leaves it to the page to say when it is worn.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

// Swagger UI's own resolver works through the whole document for every operation that is opened, which takes seconds for
// one of this size. All references of ours lead into the document itself.
const resolvingLocally = {
  fn: {
    resolveSubtree: async (document, path) => {
      const subtree = path.reduce((value, key) => value?.[key], document);
      return { spec: resolved(subtree, document, []), errors: [] };
    },
  },
};

/** A value with what its references name in their places; a reference to what it stands in stays one. */
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

// Swagger UI puts a link into the button that opens an operation, which screen readers and the keyboard cannot tell apart.
// The address of the page names the open operation all the same.
const pathsAsText = {
  wrapComponents: {
    DeepLink: (Original, { React }) =>
      function DeepLink(props) {
        const isOfOperation = props.path.includes("/");
        return isOfOperation ? React.createElement("span", null, props.text) : React.createElement(Original, props);
      },
  },
};

SwaggerUIBundle({
  plugins: [resolvingLocally, pathsAsText],
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  validatorUrl: null,
});

// Swagger UI leaves some controls without a name, and some boxes that scroll out of the keyboard's reach.
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
