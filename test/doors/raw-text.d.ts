/// <reference types="vite/types/importMeta.d.ts" />

/** The text of a file, as Vite bundles it into the tests. */
declare module "*?raw" {
  const text: string;
  export default text;
}
