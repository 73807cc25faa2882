import type { Bindings } from "./context.ts";

/** The address this service is reached at from outside: PUBLIC_URL where one is configured, else as it was asked. */
export function baseOf({ PUBLIC_URL }: Pick<Bindings, "PUBLIC_URL">, url: string): string {
  return PUBLIC_URL.replace(/\/$/, "") || new URL(url).origin;
}
