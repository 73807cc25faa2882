import { join } from "node:path";
import type { Plugin, UserConfig } from "vite";
import solid from "vite-plugin-solid";

/** The service that `npm run console` uses. */
const SERVICE = `http://localhost:${process.env.PORT || 8787}`;
/** Paths that the service itself serves. */
const OF_THE_SERVICE = ["/api", "/runtime", "/docs", "/openapi.json", "/readyz", "/widget.js", "/widget-voice.js"];

/** Otherwise static styles would stay in the HTML of templates, which the page's policy forbids. */
const COMPILER = { generate: "dom", inlineStyles: false } as const;

/**
 * Imports the widget's style as text, as its own build does, because the style belongs to shadow trees and not to the
 * page.
 */
const widgetStyle: Plugin = {
  name: "style of the widget as text",
  enforce: "pre",
  resolveId(source, importer) {
    const isOfWidget = source.endsWith(".css") && importer?.includes("/src/browser/widget/");
    return isOfWidget ? this.resolve(`${source}?inline`, importer) : null;
  },
};

/** The console's build. src/dev/build-console.ts runs it and sets the output folder. */
const config: UserConfig = {
  root: import.meta.dirname,
  base: "/console/",
  cacheDir: join(import.meta.dirname, "../../../node_modules/.vite-console"),
  plugins: [widgetStyle, solid({ solid: COMPILER })],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    target: ["chrome111", "firefox113", "safari16.4"],
    // The policy allows nothing inline, including data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: false,
    manifest: true,
    rolldownOptions: {
      checks: { pluginTimings: false },
      // Without this, the texts of all screens would load with the first screen, because one module exports them.
      treeshake: { moduleSideEffects: [{ test: /\/console\/texts\//, sideEffects: false }] },
    },
  },
  logLevel: "warn",
  // For `npm run console`, which shows changes at once. The served page's policy doesn't apply there.
  server: {
    host: "localhost",
    port: 8788,
    strictPort: true,
    proxy: Object.fromEntries(OF_THE_SERVICE.map((path) => [path, { target: SERVICE, changeOrigin: true, ws: true }])),
  },
};

export default config;
