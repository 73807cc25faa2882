import type { AccountStore } from "../kernel/db/account-store.ts";
import type { EventHub } from "../kernel/streams/event-hub.ts";
import type { OpenStreams } from "../kernel/streams/open-streams.ts";
import type { AccountUsage } from "./decide/explain-waiting.ts";
import type { DispatchDependencies } from "./dial/dispatch-dependencies.ts";
import type { Dispatcher } from "./dial/dispatcher.ts";
import type { CampaignGuard } from "./guard.ts";
import type { CampaignOutbox } from "./outbox/campaign-outbox.ts";
import type { QuotaClaims } from "./quota-claims.ts";
import type { CampaignStore } from "./store/campaign-store.ts";

/** The parts of a campaign's object. Each operation names the parts that it uses. */
export interface CampaignContext extends CampaignOutbox {
  env: Env;
  name: { account: string; id: string };
  storage: DurableObjectStorage;
  store: CampaignStore;
  guard: CampaignGuard;
  /** The account's rows in D1, with the campaign as the author. */
  accountStore: AccountStore;
  claims: QuotaClaims;
  streams: OpenStreams;
  hub: EventHub;
  dial: DispatchDependencies;
  dispatcher: Dispatcher;
  /** Returns the account's caps and how much of them is in use. */
  usage(): Promise<AccountUsage>;
  /** Sets the campaign's alarm to `at`, ms, or earlier; now by default. */
  wake(at?: number): Promise<void>;
  /** Continues work after its request was answered. */
  background(work: Promise<unknown>): void;
  report(error: unknown): void;
  now(): number;
}
