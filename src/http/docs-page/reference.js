// Keys and tokens entered here live as long as the page; an earlier version of it kept them in the browser.
localStorage.removeItem("authorized");
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tagsSorter: "alpha",
  validatorUrl: null,
});
