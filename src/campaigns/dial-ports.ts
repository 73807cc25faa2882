import { v7 as uuidv7 } from "uuid";
import type { AccountStore } from "../db/account-store.ts";
import type { CampaignBook } from "./book.ts";
import type { DispatchPorts } from "./dispatcher.ts";

export function dialPorts(env: Env, book: CampaignBook, store: AccountStore): DispatchPorts {
  const no = async () => {
    throw new Error(`${env} ${book} ${store} ${uuidv7()}`);
  };
  return {
    now: Date.now,
    newCallId: () => "",
    exchange: no,
    carrier: no,
    place: no,
    blocked: no,
    limits: { ring: 1, duration: 1 },
  };
}
