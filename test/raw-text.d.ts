/// <reference types="vite/types/importMeta.d.ts" />

/** The text of a file, which Vite bundles into the test that imports it. */
declare module "*?raw" {
  const text: string;
  export default text;
}
