import { v7 as uuidv7 } from "uuid";
import { AccountClosedError, type AccountStore, assertOpen } from "../../../kernel/db/account-store.ts";
import type { Bindings, OwnRuntime, SessionIdentity } from "../../../kernel/http/context.ts";
import { ApiError, badToken, conflict } from "../../../kernel/http/errors.ts";
import { idBeside } from "../../../kernel/instant-ids.ts";
import { logError } from "../../../kernel/log.ts";
import { assertNotExpired, judgeTester } from "../../agent-sessions/judge-tester.ts";
import type { Tester } from "../../agent-sessions/tester-token.ts";
import type { Client } from "../client-sockets.ts";
import { CLOSE, Refusal } from "../protocols/protocol.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";
import type { ConversationLease } from "./live-lease.ts";
import type { Party } from "./party.ts";
import { readParty } from "./read-party.ts";
import { judgeVisitor, readSession } from "./snapshot.ts";

/** Who opens a session: a client with its address, if addresses are counted, or the API key of a runtime. */
interface From {
  address: string | null;
  api_key_id: string | null;
  /** Whether the carrier has made the disclosure. */
  disclosed: boolean;
}

/** How long after a check a call's account is assumed to be open, ms. */
const OPEN_REUSE_MS = 15_000;

export const sessionEnded = () => new ApiError(403, "session_ended", "the session has ended");

export interface DoorDependencies {
  env: Bindings;
  /** The conversation's account and session key. */
  name: { account: string; id: string };
  store: ConversationStore;
  lease: Pick<ConversationLease, "take" | "drop">;
  accountStore: AccountStore;
  /** Delivers and removes a conversation that has ended, so that its visitor can begin another. */
  makeRoom(): Promise<void>;
  /** Called when the conversation has begun. */
  begun(): Promise<void>;
}

/** Admits runtimes and participants to the session, each by its own method, and begins the conversation once. */
export class SessionDoor {
  readonly #deps: DoorDependencies;
  #opening: Promise<void> | null = null;
  /** When (ms) the account was last found to be open. */
  #openAt = 0;

  constructor(deps: DoorDependencies) {
    this.#deps = deps;
  }

  /**
   * Admits a custom runtime.
   * @throws ApiError 403 if the session has ended or may no longer be used; 429 if it may not begin now
   */
  async openForRuntime({ session, api_key_id, disclosed }: OwnRuntime): Promise<void> {
    await this.#open(session, { address: null, api_key_id, disclosed });
  }

  /** Admits a client that opens its socket with this frame to talk. @throws ApiError, Refusal, BadFrame */
  async openToTalk(frame: Record<string, unknown>, { signed, address }: Client): Promise<Party> {
    const { env, name, store } = this.#deps;
    const party = await readParty(env.SIGNING_KEYS, frame, Date.now());
    const { account, key } = party.session;
    if (account !== name.account || key.toLowerCase() !== name.id) throw badToken();
    // A stolen token is not enough if the carrier signs its handshakes.
    if (party.trust === "carrier" && party.signs && !signed)
      throw new Refusal(CLOSE.refused, "the handshake lacks the carrier's signature");
    const disclosed = party.trust === "carrier" && party.spoken.disclosed === true;
    await this.#open(party.session, { address, api_key_id: null, disclosed });
    // Late events may still be reported, but no client can talk any more.
    if (store.existing.ended_at !== null) throw sessionEnded();
    if (store.existing.held_by === "own") throw conflict("held_elsewhere", "another runtime holds the conversation");
    return party;
  }

  async #open(identity: SessionIdentity, from: From): Promise<void> {
    const { store } = this.#deps;
    while (this.#opening) await this.#opening.catch(() => {});
    const { row } = store;
    // The id of one kind of session must not open a conversation of another kind.
    if (row !== null && store.identity.kind !== identity.kind) throw badToken();
    if (row === null || mayBeginAnew(identity, row.ended_at)) {
      this.#opening = this.#begin(identity, from).finally(() => {
        this.#opening = null;
      });
      return this.#opening;
    }
    if (row.ended_at !== null && Date.now() >= row.ended_at + TOKEN_AFTER_END_MS) throw sessionEnded();
    if (identity.kind === "widget") await this.#judge(identity);
    else if (identity.kind === "test") await this.#judgeTester(identity);
    else await this.#assertOpen();
    // The conversation may have been erased meanwhile.
    if (store.row === null) throw sessionEnded();
  }

  /**
   * Checks that the other side may continue. All changes of access except the expiry of a token are pushed to this
   * object (`ConversationLease`), so that words never wait for a check.
   * @throws ApiError 403
   */
  assertMayContinue(): void {
    const { store } = this.#deps;
    if (store.row !== null && store.identity.kind === "test") assertNotExpired(store.identity, Date.now());
  }

  async #begin(identity: SessionIdentity, { address, api_key_id, disclosed }: From): Promise<void> {
    const { env, store, lease, accountStore, makeRoom, begun } = this.#deps;
    await makeRoom();
    const { erasedAt } = store;
    if (erasedAt !== null && (identity.kind === "call" || identity.issued_at <= erasedAt)) throw sessionEnded();
    const now = Date.now();
    // A test's requester already has its id.
    const id =
      identity.kind === "test"
        ? identity.key
        : identity.kind === "call"
          ? idBeside(identity.call_id)
          : uuidv7({ msecs: now });
    // Taken before anything is read, so that a later revocation finds the lease.
    await lease.take({ id, identity, address, api_key_id });
    try {
      if (identity.kind === "test") await this.#judgeTester(identity);
      const session = await readSession({ env, store: accountStore, now }, identity, id);
      if (identity.kind === "widget") session.api_key_id = api_key_id;
      if (session.snapshot.disclosure) session.snapshot.disclosure.spoken = disclosed;
      store.begin({ id, identity, started_at: now, address }, session);
    } catch (error) {
      lease.drop(id);
      throw error;
    }
    await begun();
  }

  /** Checks that a visitor may still use the session. Tokens of an earlier conversation are refused. */
  async #judge(identity: Extract<SessionIdentity, { kind: "widget" }>): Promise<void> {
    const { store, accountStore } = this.#deps;
    const from = Math.max(store.session.follows ?? 0, store.erasedAt ?? 0);
    if (identity.issued_at <= from) throw sessionEnded();
    await judgeVisitor(accountStore, identity, Date.now());
  }

  #judgeTester(tester: Tester): Promise<void> {
    const { env, accountStore } = this.#deps;
    return judgeTester({ env, store: accountStore, now: Date.now() }, tester);
  }

  /** Checks that a call's account is open. If D1 is unreachable, the conversation continues. */
  async #assertOpen(): Promise<void> {
    const { accountStore, name } = this.#deps;
    if (Date.now() < this.#openAt + OPEN_REUSE_MS) return;
    try {
      const [accountStatus] = await accountStore.read(accountStore.accountStatus());
      assertOpen(accountStatus);
      this.#openAt = Date.now();
    } catch (error) {
      if (error instanceof AccountClosedError) throw error;
      logError("conversation", error, { account: name.account });
    }
  }
}

/** Checks whether a visitor whose conversation has ended begins another with a newer token. */
function mayBeginAnew({ kind, issued_at }: SessionIdentity, endedAt: number | null): boolean {
  return kind === "widget" && endedAt !== null && issued_at > endedAt;
}
