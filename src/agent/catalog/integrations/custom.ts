import type { CatalogIntegration } from "../types.ts";
import { deciding } from "./fields.ts";

/** Integrations with an account's own services: an address, and secrets of any name that are sent only there. */
export const customIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec1f-7b3e-9d44-5f0c27a6e81d",
    name: "custom_api",
    display_name: "Custom API",
    description: "A service of your own: its address, and the secrets that are sent there.",
    category: "custom",
    hosts: ["{base_url}"],
    auth: "token",
    params: [
      deciding(
        "base_url",
        "Base URL",
        "What the service's addresses begin with, such as https://api.example.com/v1",
        "base_url",
      ),
    ],
    secrets: [],
    any_secrets: true,
    checks: { none: "no request to the service is known to be free of side effects" },
  },
];
