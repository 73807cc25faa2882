import type { CarrierKind, Provider } from "./carrier.ts";
import { sandbox } from "./sandbox.ts";

/** Every carrier there is, by the name of its provider. */
const KINDS: Partial<Record<Provider, CarrierKind>> = { sandbox: sandbox as CarrierKind };

/** The carrier of this name, undefined for an unknown one. */
export function carrierKind(provider: string): CarrierKind | undefined {
  return Object.hasOwn(KINDS, provider) ? KINDS[provider as Provider] : undefined;
}
