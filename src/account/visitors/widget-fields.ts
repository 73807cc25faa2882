import { z } from "@hono/zod-openapi";
import { named } from "../../kernel/http/named-schemas.ts";

/* Fields that an account sets for its widgets and their keys. */

const color = z
  .string()
  .regex(/^#([0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})$/, "must be a CSS hex color such as #134e4a");

/** The appearance of an account's widgets. */
export const widgetSettings = z
  .object({
    accent_color: color.openapi({
      description: "The color of the send button and links, as CSS hex. Default: `#0f766e`.",
      example: "#0f766e",
    }),
    launcher_label: z.string().trim().min(1, "must not be empty").max(60).openapi({
      description: "The label of the button that opens the widget, up to 60 characters. Default: `Talk to us`.",
      example: "Talk to us",
    }),
    launcher_position: z
      .enum(["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"])
      .openapi({ description: "Where on the page the button is. Default: `bottom-right`.", example: "bottom-right" }),
    logo_url: z
      .union([z.literal(""), z.url({ protocol: /^https$/ }).max(2000)], "must be an https URL or empty")
      .openapi({
        description: "The logo in the widget's header: an https URL, or empty for none (the default).",
        example: "https://shop.example/logo.svg",
      }),
    primary_color: color.openapi({
      description: "The color of the widget's header and button, as CSS hex. Default: `#134e4a`.",
      example: "#134e4a",
    }),
    privacy_notice: z.string().trim().max(1000).openapi({
      description: "What a visitor reads before writing, up to 1,000 characters; empty for none (the default).",
      example: "Conversations are kept for 30 days.",
    }),
  })
  .openapi("WidgetSettings");

/** The maximum number of origins of a widget key, and the maximum length of an origin in characters. */
export const MAX_ORIGINS = 100;
export const MAX_ORIGIN_CHARS = 300;
export const allowlist = z
  .array(z.string().max(MAX_ORIGIN_CHARS))
  .max(MAX_ORIGINS)
  .openapi({
    description:
      "Origins that may show the widget, up to 100; `https://*.shop.example` admits every subdomain. An empty list admits nobody.",
    example: ["https://shop.example", "https://*.shop.example", "http://localhost:3000"],
  });

const limitOf = (most: number) => z.number().int().min(1).max(most).nullable();
export const keyLimits = named(
  "WidgetKeyLimits",
  "The limits for visitors with a widget key.",
  z.object({
    turns_per_conversation: limitOf(10_000).openapi({
      description:
        "The maximum number of visitor turns in one conversation, after which it ends. Default: 60; null for no limit.",
      example: 60,
    }),
    conversations_per_visitor_day: limitOf(100_000).openapi({
      description:
        "The maximum number of conversations that one visitor may begin in a day (UTC). All guests of one network together may begin 200. Default: 20; " +
        "null for no limit.",
      example: 20,
    }),
    tokens_per_day: limitOf(Number.MAX_SAFE_INTEGER).openapi({
      description:
        "The maximum number of tokens that conversations with this key may use in a day (UTC). At the limit, they end. Guests may use half, " +
        "and guests of one network a fifth. Default: 5,000,000; null for no limit.",
      example: 5_000_000,
    }),
  }),
);
