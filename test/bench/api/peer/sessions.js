import { createPrivateKey, randomUUID, sign } from "node:crypto";
import { ApiError, sha256Hex } from "./admission.js";

const CONFIG_LIFETIME_MS = 60_000;
const SESSION_S = 15 * 60;
const REFRESH_S = 24 * 3600;
const DEFAULT_SETTINGS = {
  accent_color: "#0f766e",
  launcher_label: "Talk to us",
  launcher_position: "bottom-right",
  logo_url: "",
  primary_color: "#134e4a",
  privacy_notice: "",
};
const encoded = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** What a widget's page asks: its configuration, kept for a minute, and a guest's session. */
export function sessions(db, signingKeys) {
  const [{ kid, kty, crv, x, y, d }] = JSON.parse(signingKeys);
  const key = createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
  const header = encoded({ alg: "ES256", kid, typ: "JWT" });
  const known = new Map();

  function token(aud, claims, lifetime, now) {
    const iat = Math.floor(now / 1000);
    const signed = `${header}.${encoded({ ...claims, iss: "switchboard", aud, iat, exp: iat + lifetime })}`;
    const signature = sign("sha256", Buffer.from(signed), { key, dsaEncoding: "ieee-p1363" });
    return `${signed}.${signature.toString("base64url")}`;
  }

  function widgetOf(clientKey) {
    const [, account] = /^pk_live_(.+)_[0-9A-Za-z]+$/.exec(clientKey) ?? [];
    return { account, widget: account ? db.widget(account, sha256Hex(clientKey)) : null };
  }

  function allowed(widget, origin) {
    if (!widget || widget.key.disabled_at !== null) throw new ApiError(403, "client_key_unknown", "unknown key");
    if (!widget.key.domain_allowlist.includes(new URL(origin).origin))
      throw new ApiError(403, "origin_not_allowed", "this origin is not on the widget key's domain allowlist");
  }

  return {
    widgetConfig(clientKey, origin) {
      const now = Date.now();
      let entry = known.get(clientKey);
      if (!entry || now - entry.at >= CONFIG_LIFETIME_MS) {
        entry = { at: now, widget: widgetOf(clientKey).widget };
        known.set(clientKey, entry);
      }
      const { widget } = entry;
      allowed(widget, origin);
      const { agent, policy, settings } = widget;
      const shown = {
        agent,
        settings: settings ?? DEFAULT_SETTINGS,
        auth_mode: policy.auth_mode,
        enabled: policy.widget_enabled === 1,
        guests: agent.auth_mode !== "authenticated" && policy.auth_mode !== "authenticated",
        runtime_url: null,
      };
      return { shown, age: Math.floor((now - entry.at) / 1000) };
    },
    beginGuestSession(clientKey, origin) {
      const { account, widget } = widgetOf(clientKey);
      allowed(widget, origin);
      const { agent, key: row } = widget;
      const now = Date.now();
      const [sub, fam] = [randomUUID(), randomUUID()];
      const who = { sub, account, agent_id: agent.id, visitor_type: "guest", key_id: row.id, origin };
      const identity = { ...who, fam, auth_time: Math.floor(now / 1000) };
      return {
        access_token: token("visitor", identity, SESSION_S, now),
        token_type: "Bearer",
        expires_in: SESSION_S,
        refresh_token: token("visitor-refresh", { ...identity, jti: fam }, REFRESH_S, now),
        visitor: { id: sub, type: "guest" },
        agent_id: agent.id,
      };
    },
  };
}
