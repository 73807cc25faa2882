import { z } from "zod";
import { longId, shortId, signToken } from "../../kernel/secrets/tokens.ts";

export interface TokenCall {
  call_id: string;
  account: string;
  agent_id: string;
  campaign_id: string | null;
  /** Whether the carrier speaks the disclosure before the token is used. */
  disclosed?: boolean;
}

/** What the carrier speaks before the runtime does. */
export interface SpokenByCarrier {
  disclosed?: boolean;
  announced: boolean;
  greeted: boolean;
}

/** What the token says about its carrier. `signs`: it signs the handshake of its WebSocket. */
export interface CarrierFlags extends SpokenByCarrier {
  signs?: boolean;
}

type Secret = string | undefined;

/** Issues the token with which a custom runtime takes over the call. `now` is in ms. @throws SigningUnavailable */
export function issueRuntimeToken(
  secret: Secret,
  { call_id: sub, account, agent_id, campaign_id, disclosed }: TokenCall,
  lifetime_s: number,
  now: number,
): Promise<string> {
  const claims = {
    sub,
    account,
    agent_id,
    ...(campaign_id !== null && { campaign: shortId(campaign_id) }),
    ...(disclosed && { disclosed }),
  };
  return signToken(secret, "runtime", claims, lifetime_s, now);
}

/**
 * Issues the token of a carrier that exchanges text with the built-in runtime. `now` is in ms. @throws
 * SigningUnavailable
 */
export function issueCarrierToken(
  secret: Secret,
  { call_id, account, agent_id, campaign_id }: TokenCall,
  { disclosed = false, announced, greeted, signs = false }: CarrierFlags,
  lifetime_s: number,
  now: number,
): Promise<string> {
  const flags = `${disclosed ? "d" : ""}${announced ? "a" : ""}${greeted ? "g" : ""}${signs ? "s" : ""}`;
  // Carriers pass on at most 500 characters, so everything is as short as possible.
  const claims = {
    sub: shortId(call_id),
    account,
    agent: shortId(agent_id),
    ...(campaign_id !== null && { campaign: shortId(campaign_id) }),
    ...(flags !== "" && { flags }),
  };
  return signToken(secret, "carrier", claims, lifetime_s, now);
}

const shortUuid = z.string().transform(longId).pipe(z.uuid());
const campaign = shortUuid.nullable().default(null);

export const runtimeTokenClaims = z.object({
  sub: z.uuid(),
  account: z.string(),
  agent_id: z.string(),
  campaign,
  disclosed: z.boolean().default(false),
  exp: z.number(),
});

export const carrierTokenClaims = z.object({
  sub: shortUuid,
  account: z.string(),
  agent: shortUuid,
  campaign,
  flags: z.string().default(""),
  exp: z.number(),
});

/** Returns the carrier's properties from the token's claim `flags`. */
export function carrierFlags(flags: string): Required<CarrierFlags> {
  const has = (flag: string) => flags.includes(flag);
  return { disclosed: has("d"), announced: has("a"), greeted: has("g"), signs: has("s") };
}
