import { createSignal } from "solid-js";

type Reader = Pick<typeof import("../../../kernel/numbers/read-number.ts"), "canonicalNumber">;

const [reader, setReader] = createSignal<Reader>();
let loading: Promise<Reader> | null = null;

/**
 * Loads the service's own reader of phone numbers. It is large, so it is loaded only by screens where numbers are
 * entered.
 */
export function numberReader(): Promise<Reader> {
  loading ??= import("../../../kernel/numbers/read-number.ts").then((module) => {
    setReader(() => module);
    return module;
  });
  return loading;
}

/** Returns the reader once it is loaded; undefined until then. */
export function loadedNumberReader(): Reader | undefined {
  void numberReader();
  return reader();
}
