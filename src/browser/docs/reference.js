// Keys and tokens entered here live as long as the page; an earlier version of it kept them in the browser.
localStorage.removeItem("authorized");

// Swagger UI has a dark dress, and leaves it to the page to say when it is worn.
const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

SwaggerUIBundle({
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
