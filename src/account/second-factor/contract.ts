import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";

const slice = { access: "session", scope: [], tag: "Accounts", path: "/api/second-factor" } as const;

/** A code in the form in which a person types it. */
export const code = z.string().min(1).max(32).openapi({
  description: "Six digits from the authenticator app, or a recovery code.",
  example: "492039",
});
const recoveryCodes = z.object({
  recovery_codes: z.array(z.string()).openapi({
    description: "Ten codes. Each works once instead of a code from the app. They are shown only once.",
    example: ["k7mq2-x9fhd", "3nwtc-zp4ye"],
  }),
});
const REFUSED = {
  403: "the code is wrong or was already used (`wrong_code`), or missing (`second_factor_required`), or another identity provider signs the user in (`external_identity`)",
  409: "the second factor was changed in the meantime; try again",
  429: "too many failures: try again after Retry-After",
};

export const getSecondFactor = endpoint({
  ...slice,
  method: "get",
  withoutSecondFactor: true,
  operationId: "getSecondFactor",
  summary: "Get whether you have a second factor",
  description: "For users who sign in with a password.",
  status: 200,
  response: z.object({
    enabled: z.boolean().openapi({ description: "Whether signing in asks for a code.", example: true }),
    recovery_codes_left: z.number().int().openapi({ description: "How many recovery codes are left.", example: 9 }),
  }),
  errors: { 403: "another identity provider signs the user in (`external_identity`)" },
});

export const enrollSecondFactor = endpoint({
  ...slice,
  method: "post",
  withoutSecondFactor: true,
  operationId: "enrollSecondFactor",
  summary: "Start setting up a second factor (TOTP)",
  description:
    "Returns a new secret for an authenticator app. It takes effect when you send a code of it to " +
    "confirmSecondFactor. Until then, your current second factor applies, and its code is required here.",
  body: z.object({
    code: code.optional().openapi({ description: "A code of the current second factor, if there is one." }),
  }),
  bodyOptional: true,
  status: 200,
  response: z.object({
    secret: z.string().openapi({
      description: "The secret in base32, to type where no QR code can be scanned.",
      example: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
    }),
    otpauth_url: z.string().openapi({
      description: "The same with the account's and the user's names, to show as a QR code.",
      example:
        "otpauth://totp/Switchboard:ada%40acme.example%20(acme)?issuer=Switchboard&secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&algorithm=SHA1&digits=6&period=30",
    }),
  }),
  errors: Object.assign({ 503: "encryption is not available" }, REFUSED),
});

export const confirmSecondFactor = endpoint({
  ...slice,
  method: "post",
  path: "/api/second-factor/confirm",
  withoutSecondFactor: true,
  operationId: "confirmSecondFactor",
  summary: "Confirm a second factor",
  description:
    "Checks a code for the secret that enrollSecondFactor returned, and returns recovery codes. From then on, " +
    "signing in requires a code.",
  body: z.object({ code }),
  status: 200,
  response: recoveryCodes,
  errors: Object.assign({ 503: "encryption is not available" }, REFUSED, {
    409: "no second factor is being set up (`nothing_to_confirm`), or it was changed in the meantime (`changed_meanwhile`)",
  }),
});

export const renewRecoveryCodes = endpoint({
  ...slice,
  method: "post",
  path: "/api/second-factor/recovery-codes",
  operationId: "renewRecoveryCodes",
  summary: "Get new recovery codes",
  description: "The earlier codes no longer work.",
  body: z.object({ code }),
  status: 200,
  response: recoveryCodes,
  errors: Object.assign({ 404: "no second factor is set up", 503: "encryption is not available" }, REFUSED),
});

export const removeSecondFactor = endpoint({
  ...slice,
  method: "delete",
  operationId: "removeSecondFactor",
  summary: "Remove your second factor",
  description:
    "Its recovery codes are deleted too. If the account requires a second factor, your sessions can only set up " +
    "a new one.",
  body: z.object({ code }),
  status: 204,
  errors: Object.assign({ 404: "no second factor is set up", 503: "encryption is not available" }, REFUSED),
});
