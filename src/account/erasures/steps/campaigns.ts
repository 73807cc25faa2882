import { z } from "zod";
import { campaignObject } from "../../../kernel/durable/objects.ts";
import { campaignsToVisit } from "../campaigns-to-visit.ts";
import { step } from "../step.ts";

/** How long a campaign is asked again without a pause, ms. */
const AT_ONCE_MS = 5_000;

/** The campaign that it is at, and whether that has forgotten the person. */
const place = z.object({ campaign: z.string(), isDone: z.boolean() });

/** Has each campaign forget the number, one after the other. */
export const eraseInCampaigns = step(place, async ({ env, store, number, order }, at) => {
  if (number === null) return { next: null };
  const goesOn = at && !at.isDone ? at.campaign : undefined;
  const campaign = goesOn ?? (await campaignsToVisit(store, at?.campaign ?? "", 1, Date.now()))[0];
  if (campaign === undefined) return { next: null };
  const object = campaignObject(env, store.account, campaign);
  const until = Date.now() + AT_ONCE_MS;
  let forgotten = await object.forgetPerson({ erasure: order, numbers: [number] });
  while (!forgotten.done && Date.now() < until)
    forgotten = await object.forgetPerson({ erasure: order, numbers: [number] });
  const { counts, done } = forgotten;
  const result = {
    absolute: { of: `${campaign} ${order}`, counts },
    next: { campaign, isDone: done },
  };
  // A list that is being uploaded comes to its end first.
  return done ? result : Object.assign(result, { wait: true as const });
});
