import type { Body } from "../../api/client.ts";
import { numbers as t } from "../../texts/index.ts";

export function callsOf({ inbound_enabled, outbound_enabled }: Body<"PhoneNumber">): string {
  if (inbound_enabled) return outbound_enabled ? t.both : t.inOnly;
  return outbound_enabled ? t.outOnly : t.neither;
}
