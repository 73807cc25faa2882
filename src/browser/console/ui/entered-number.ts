import { createSignal } from "solid-js";

type Reader = Pick<typeof import("../../../kernel/numbers/read-number.ts"), "canonicalNumber">;

const [reader, setReader] = createSignal<Reader>();
let loading: Promise<Reader> | null = null;

/** The service's own reader of phone numbers. It is large, so screens load it where numbers are entered. */
export function numberReader(): Promise<Reader> {
  loading ??= import("../../../kernel/numbers/read-number.ts").then((module) => {
    setReader(() => module);
    return module;
  });
  return loading;
}

/** The same once it is there; undefined until then. */
export function loadedNumberReader(): Reader | undefined {
  void numberReader();
  return reader();
}
