import { calCom } from "./cal-com.ts";
import { hubspot } from "./hubspot.ts";
import { ACCOUNT_SID, SERVICE_SID, sendgrid, stripe, twilio, zendesk } from "./others.ts";
import { shopify } from "./shopify.ts";
import type { Vendor } from "./vendor.ts";

/** Stand-ins for the vendors that the shipped tools call. Each follows its vendor's published API. */
export const VENDORS: readonly Vendor[] = [calCom, hubspot, shopify, zendesk, twilio, sendgrid, stripe];

/** The credentials of the stand-ins' only customer, to be stored in each integration. */
export const KEYS: Record<string, Record<string, string>> = {
  cal_com: { api_key: "cal_live_1" },
  hubspot: { access_token: "pat-eu1-1" },
  shopify: { shop_domain: "acme.myshopify.com", access_token: "shpat_1" },
  zendesk: { subdomain: "acme", email: "ops@example.com", api_token: "zd_1" },
  twilio_messaging: {
    account_sid: ACCOUNT_SID,
    messaging_service_sid: SERVICE_SID,
    api_key_sid: "SK1",
    api_key_secret: "secret:1",
  },
  sendgrid: { from_email: "hello@example.com", api_key: "SG.1" },
  stripe: { secret_key: "rk_test_1" },
};
