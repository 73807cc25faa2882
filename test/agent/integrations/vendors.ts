/**
 * A vendor as its published API describes it: an account's stored values, the request, a successful answer, and a 200
 * that reports an error.
 */
export interface Vendor {
  name: string;
  stored: { params?: Record<string, string>; secrets: Record<string, string> };
  request: { method: string; url: string; headers?: Record<string, string>; body?: unknown };
  good: unknown;
  bad?: unknown;
}

const basic = (username: string, password: string) => `Basic ${btoa(`${username}:${password}`)}`;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Written from the vendors' references instead of the catalogue. The stand-ins accept exactly these requests. */
export const VENDORS: Vendor[] = [
  {
    name: "hubspot",
    stored: { secrets: { access_token: "pat-eu1-secret-hubspot" } },
    request: {
      method: "GET",
      url: "https://api.hubapi.com/crm/v3/objects/contacts?limit=1",
      headers: bearer("pat-eu1-secret-hubspot"),
    },
    good: { results: [] },
  },
  {
    name: "pipedrive",
    stored: { params: { company_domain: "acme" }, secrets: { api_token: "secret-pipedrive" } },
    request: {
      method: "GET",
      url: "https://acme.pipedrive.com/api/v1/users/me",
      headers: { "x-api-token": "secret-pipedrive" },
    },
    good: { success: true, data: { id: 777 } },
    bad: { success: false, error: "unauthorized access" },
  },
  {
    name: "zendesk",
    stored: { params: { subdomain: "acme", email: "ada@acme.example" }, secrets: { api_token: "secret-zendesk" } },
    request: {
      method: "GET",
      url: "https://acme.zendesk.com/api/v2/users/me.json",
      headers: { authorization: basic("ada@acme.example/token", "secret-zendesk") },
    },
    good: { user: { id: 35436, name: "Ada" } },
    bad: { user: { id: null, name: "Anonymous user" } },
  },
  {
    name: "freshdesk",
    stored: { params: { domain: "acme" }, secrets: { api_key: "secret-freshdesk" } },
    request: {
      method: "GET",
      url: "https://acme.freshdesk.com/api/v2/agents/me",
      headers: { authorization: basic("secret-freshdesk", "X") },
    },
    good: { id: 432 },
  },
  {
    name: "intercom",
    stored: { secrets: { access_token: "secret-intercom" } },
    request: { method: "GET", url: "https://api.intercom.io/me", headers: bearer("secret-intercom") },
    good: { type: "admin", id: "1" },
  },
  {
    name: "jira_service_management",
    stored: {
      params: { site: "acme", service_desk_id: "10", email: "ada@acme.example" },
      secrets: { api_token: "secret-jira" },
    },
    request: {
      method: "GET",
      url: "https://acme.atlassian.net/rest/servicedeskapi/servicedesk/10",
      headers: { authorization: basic("ada@acme.example", "secret-jira") },
    },
    good: { id: "10" },
  },
  {
    name: "cal_com",
    stored: { secrets: { api_key: "cal_live_secret" } },
    request: { method: "GET", url: "https://api.cal.com/v2/me", headers: bearer("cal_live_secret") },
    good: { status: "success", data: { id: 1 } },
  },
  {
    name: "calendly",
    stored: { secrets: { access_token: "secret-calendly" } },
    request: { method: "GET", url: "https://api.calendly.com/users/me", headers: bearer("secret-calendly") },
    good: { resource: { uri: "https://api.calendly.com/users/A" } },
  },
  {
    name: "slack",
    stored: { params: { channel: "C024BE91L" }, secrets: { bot_token: "xoxb-secret-slack" } },
    request: { method: "POST", url: "https://slack.com/api/auth.test", headers: bearer("xoxb-secret-slack") },
    good: { ok: true, team: "Acme" },
    bad: { ok: false, error: "invalid_auth" },
  },
  {
    name: "twilio_messaging",
    stored: {
      params: { account_sid: "AC1", messaging_service_sid: "MG1", api_key_sid: "SK1" },
      secrets: { api_key_secret: "secret-twilio" },
    },
    request: {
      method: "GET",
      url: "https://messaging.twilio.com/v1/Services/MG1",
      headers: { authorization: basic("SK1", "secret-twilio") },
    },
    good: { sid: "MG1", account_sid: "AC1" },
  },
  {
    name: "sendgrid",
    stored: { params: { from_email: "hi@acme.example" }, secrets: { api_key: "SG.secret-sendgrid" } },
    request: { method: "GET", url: "https://api.sendgrid.com/v3/scopes", headers: bearer("SG.secret-sendgrid") },
    good: { scopes: ["mail.send"] },
  },
  {
    name: "stripe",
    stored: { secrets: { secret_key: "rk_test_secret" } },
    request: {
      method: "GET",
      url: "https://api.stripe.com/v1/payment_links?limit=1",
      headers: bearer("rk_test_secret"),
    },
    good: { object: "list", data: [] },
  },
  {
    name: "adyen",
    stored: {
      params: { merchant_account: "AcmeECOM", checkout_host: "checkout-test.adyen.com" },
      secrets: { api_key: "AQE-secret-adyen" },
    },
    request: {
      method: "POST",
      url: "https://checkout-test.adyen.com/checkout/v71/paymentMethods",
      headers: { "x-api-key": "AQE-secret-adyen", "content-type": "application/json" },
      body: { merchantAccount: "AcmeECOM" },
    },
    good: { paymentMethods: [] },
  },
  {
    name: "shopify",
    stored: { params: { shop_domain: "acme.myshopify.com" }, secrets: { access_token: "shpat_secret" } },
    request: {
      method: "POST",
      url: "https://acme.myshopify.com/admin/api/2026-07/graphql.json",
      headers: { "x-shopify-access-token": "shpat_secret", "content-type": "application/json" },
      body: { query: "{ shop { name } }" },
    },
    good: { data: { shop: { name: "Acme" } } },
    bad: { errors: [{ message: "Access denied" }] },
  },
  {
    name: "woocommerce",
    stored: {
      params: { store_domain: "shop.acme.example" },
      secrets: { consumer_key: "ck_secret", consumer_secret: "cs_secret" },
    },
    request: {
      method: "GET",
      url: "https://shop.acme.example/wp-json/wc/v3/orders?per_page=1",
      headers: { authorization: basic("ck_secret", "cs_secret") },
    },
    good: [],
  },
  {
    name: "airtable",
    stored: { params: { base_id: "app1", table: "Call log" }, secrets: { access_token: "pat-secret-airtable" } },
    request: {
      method: "GET",
      url: "https://api.airtable.com/v0/app1/Call%20log?maxRecords=1",
      headers: bearer("pat-secret-airtable"),
    },
    good: { records: [] },
  },
  {
    name: "cartesia",
    stored: { secrets: { api_key: "sk_car_secret" } },
    request: {
      method: "GET",
      url: "https://api.cartesia.ai/voices?limit=1",
      headers: Object.assign({ "cartesia-version": "2025-11-04" }, bearer("sk_car_secret")),
    },
    good: { data: [], has_more: false },
  },
  {
    name: "elevenlabs",
    stored: { secrets: { api_key: "sk_secret_elevenlabs" } },
    request: {
      method: "GET",
      url: "https://api.elevenlabs.io/v2/voices?page_size=1",
      headers: { "xi-api-key": "sk_secret_elevenlabs" },
    },
    good: { voices: [], has_more: false, total_count: 0 },
  },
  {
    name: "deepgram",
    stored: { secrets: { api_key: "secret-deepgram" } },
    request: {
      method: "GET",
      url: "https://api.deepgram.com/v1/projects",
      headers: { authorization: "Token secret-deepgram" },
    },
    good: { projects: [] },
  },
  {
    name: "openai",
    stored: { secrets: { api_key: "sk-secret-openai" } },
    request: { method: "GET", url: "https://api.openai.com/v1/models", headers: bearer("sk-secret-openai") },
    good: { object: "list", data: [] },
  },
  {
    name: "anthropic",
    stored: { secrets: { api_key: "sk-ant-secret" } },
    request: {
      method: "GET",
      url: "https://api.anthropic.com/v1/models?limit=1",
      headers: { "x-api-key": "sk-ant-secret", "anthropic-version": "2023-06-01" },
    },
    good: { data: [] },
  },
  {
    name: "custom_llm",
    stored: {
      params: { base_url: "https://models.acme.example/v1", models: "llama3.3" },
      secrets: { api_key: "own-secret" },
    },
    request: { method: "GET", url: "https://models.acme.example/v1/models", headers: bearer("own-secret") },
    good: { object: "list", data: [] },
  },
];
