import { join } from "node:path";
import type { UserConfig } from "vite";
import solid from "vite-plugin-solid";

/** The console's build; src/dev/build-assets.ts runs it and says where it goes. */
const config: UserConfig = {
  root: import.meta.dirname,
  base: "/console/",
  cacheDir: join(import.meta.dirname, "../../node_modules/.vite-console"),
  plugins: [solid()],
  css: { modules: { localsConvention: "camelCaseOnly" } },
  build: {
    target: ["chrome111", "firefox113", "safari16.4"],
    // The policy allows nothing inline, data: addresses included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    emptyOutDir: false,
    manifest: true,
  },
  logLevel: "warn",
};

export default config;
