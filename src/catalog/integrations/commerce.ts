import type { CatalogIntegration } from "../types.ts";
import { needed, optional } from "./fields.ts";

export const commerceIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec11-78ee-b3f0-45955dd530a9",
    name: "stripe",
    display_name: "Stripe",
    description: "Payment links, invoices and refunds.",
    category: "payments",
    params: [optional("account_id", "Connected account", "Begins with acct_; for platforms")],
    secrets: [
      needed("secret_key", "Restricted key", "With write on payment links"),
      optional("webhook_secret", "Webhook signing secret", "To hear of payments"),
    ],
  },
  {
    id: "019aa3b5-ec12-7275-88df-856e93f1f243",
    name: "adyen",
    display_name: "Adyen",
    description: "Pay-by-link for your merchant account.",
    category: "payments",
    params: [
      needed("merchant_account", "Merchant account", "Name of the account"),
      needed("environment", "Environment", "test or live"),
    ],
    secrets: [needed("api_key", "API key", "Of a web service user")],
  },
  {
    id: "019aa3b5-ec13-7c05-aff2-1d38d83c0d99",
    name: "shopify",
    display_name: "Shopify",
    description: "Orders, customers and returns of your shop.",
    category: "ecommerce",
    params: [needed("shop_domain", "Shop domain", "Such as yourshop.myshopify.com")],
    secrets: [needed("access_token", "Admin API access token", "Of a custom app with read_orders and write_returns")],
  },
  {
    id: "019aa3b5-ec14-71fc-bbb9-7f3e79b57ce0",
    name: "woocommerce",
    display_name: "WooCommerce",
    description: "Orders and customers of your WordPress shop.",
    category: "ecommerce",
    params: [needed("store_url", "Store URL", "With https")],
    secrets: [
      needed("consumer_key", "Consumer key", "Begins with ck_"),
      needed("consumer_secret", "Consumer secret", "Begins with cs_"),
    ],
  },
];
