import type { CatalogIntegration } from "../types.ts";
import { deciding, needed, optional } from "./fields.ts";

export const commerceIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec11-78ee-b3f0-45955dd530a9",
    name: "stripe",
    display_name: "Stripe",
    description: "Payment links, invoices and refunds.",
    category: "payments",
    hosts: ["api.stripe.com", "files.stripe.com"],
    auth: "token",
    params: [optional("account_id", "Connected account", "Starts with acct_; for platforms")],
    secrets: [needed("secret_key", "Restricted key", "With write on payment links; begins with rk_, or sk_")],
    checks: {
      method: "GET",
      url: "https://api.stripe.com/v1/payment_links?limit=1",
      auth: { type: "bearer", token: "{{stripe.secret_key}}" },
    },
  },
  {
    id: "019aa3b5-ec12-7275-88df-856e93f1f243",
    name: "adyen",
    display_name: "Adyen",
    description: "Payment links for your merchant account.",
    category: "payments",
    hosts: ["{checkout_host}"],
    auth: "token",
    params: [
      needed("merchant_account", "Merchant account", "Name of the account"),
      deciding(
        "checkout_host",
        "Checkout host",
        "checkout-test.adyen.com; for live payments, your URL prefix followed by -checkout-live.adyenpayments.com",
        ["checkout-test.adyen.com", "*-checkout-live.adyenpayments.com", "*-checkout-live-*.adyenpayments.com"],
      ),
    ],
    secrets: [needed("api_key", "API key", "From an API credential with the Checkout webservice role")],
    // This read lists the merchant account's payment methods. The API has no other read.
    checks: {
      method: "POST",
      url: "https://{{adyen.checkout_host}}/checkout/v71/paymentMethods",
      auth: { type: "header", name: "X-API-Key", value: "{{adyen.api_key}}" },
      body: { merchantAccount: "{{adyen.merchant_account}}" },
    },
  },
  {
    id: "019aa3b5-ec13-7c05-aff2-1d38d83c0d99",
    name: "shopify",
    display_name: "Shopify",
    description: "Orders, customers and returns of your shop.",
    category: "ecommerce",
    hosts: ["{shop_domain}"],
    auth: "token",
    params: [deciding("shop_domain", "Shop domain", "Such as yourshop.myshopify.com", ["*.myshopify.com"])],
    secrets: [
      needed(
        "access_token",
        "Admin API access token",
        "Needs read_orders. From a custom app created in the shop's admin before 2026 (shpat_), or an offline token; tokens from the Dev Dashboard's client credentials expire after a day",
      ),
    ],
    checks: {
      method: "POST",
      url: "https://{{shopify.shop_domain}}/admin/api/2026-07/graphql.json",
      auth: { type: "header", name: "X-Shopify-Access-Token", value: "{{shopify.access_token}}" },
      body: { query: "{ shop { name } }" },
      expects: { path: "data.shop.name" },
    },
  },
  {
    id: "019aa3b5-ec14-71fc-bbb9-7f3e79b57ce0",
    name: "woocommerce",
    display_name: "WooCommerce",
    description: "Orders and customers of your WordPress shop.",
    category: "ecommerce",
    hosts: ["{store_domain}"],
    auth: "token",
    params: [deciding("store_domain", "Store domain", "Such as shop.example.com, without https", "public_host")],
    secrets: [
      needed("consumer_key", "Consumer key", "With read permission; begins with ck_"),
      needed("consumer_secret", "Consumer secret", "Starts with cs_"),
    ],
    checks: {
      method: "GET",
      url: "https://{{woocommerce.store_domain}}/wp-json/wc/v3/orders?per_page=1",
      auth: {
        type: "basic",
        username: "{{woocommerce.consumer_key}}",
        password: "{{woocommerce.consumer_secret}}",
      },
    },
  },
];
