import type { CatalogIntegration } from "../types.ts";
import { needed, optional } from "./fields.ts";

export const customersIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec01-7c86-ad91-b62c99a0ea47",
    name: "hubspot",
    display_name: "HubSpot",
    description: "Contacts, companies and deals: look callers up and write leads down.",
    category: "crm",
    params: [optional("portal_id", "Portal ID", "The number in the address of your HubSpot account")],
    secrets: [
      needed(
        "access_token",
        "Private app token",
        "From Settings → Integrations → Private apps; needs crm.objects.contacts read and write",
      ),
    ],
  },
  {
    id: "019aa3b5-ec02-71ca-b133-f19b0abb0915",
    name: "salesforce",
    display_name: "Salesforce",
    description: "Leads, contacts and cases of your Salesforce organisation.",
    category: "crm",
    params: [
      needed("instance_url", "Instance URL", "Such as https://yourcompany.my.salesforce.com"),
      optional("api_version", "API version", "Such as v62.0"),
    ],
    secrets: [
      needed("client_id", "Consumer key", "Of a connected app with the client credentials flow"),
      needed("client_secret", "Consumer secret", "Of the same connected app"),
    ],
  },
  {
    id: "019aa3b5-ec03-7112-b584-0801ed52ecf5",
    name: "pipedrive",
    display_name: "Pipedrive",
    description: "Persons, organisations and deals in your pipelines.",
    category: "crm",
    params: [needed("company_domain", "Company domain", "The first part of your Pipedrive address")],
    secrets: [needed("api_token", "API token", "From Personal preferences → API")],
  },
  {
    id: "019aa3b5-ec04-7929-9861-905c0d1bba59",
    name: "zoho_crm",
    display_name: "Zoho CRM",
    description: "Leads and contacts of Zoho CRM.",
    category: "crm",
    params: [needed("data_center", "Data centre", "One of com, eu, in, com.au, jp")],
    secrets: [
      needed("client_id", "Client ID", "Of a self client in the API console"),
      needed("client_secret", "Client secret", "Of the same client"),
      needed("refresh_token", "Refresh token", "With scope ZohoCRM.modules.ALL"),
    ],
  },
  {
    id: "019aa3b5-ec05-792a-a7b4-5f9861fe325d",
    name: "zendesk",
    display_name: "Zendesk",
    description: "Open, find and update tickets from a call.",
    category: "helpdesk",
    params: [needed("subdomain", "Subdomain", "The first part of your zendesk.com address")],
    secrets: [needed("basic_auth", "API credentials", "email/token:token, base64")],
  },
  {
    id: "019aa3b5-ec06-7259-991a-1558b4401e9a",
    name: "freshdesk",
    display_name: "Freshdesk",
    description: "Tickets and contacts of Freshdesk.",
    category: "helpdesk",
    params: [needed("domain", "Domain", "The first part of your freshdesk.com address")],
    secrets: [needed("api_key", "API key", "From your profile settings")],
  },
  {
    id: "019aa3b5-ec07-7a1d-97be-aa3ef7aeb468",
    name: "intercom",
    display_name: "Intercom",
    description: "Conversations and people of Intercom.",
    category: "helpdesk",
    params: [optional("region", "Region", "us, eu or au")],
    secrets: [needed("access_token", "Access token", "Of an app in the developer hub")],
  },
  {
    id: "019aa3b5-ec08-7713-b785-067864832c14",
    name: "jira_service_management",
    display_name: "Jira Service Management",
    description: "Requests of your service desks.",
    category: "helpdesk",
    params: [
      needed("site_url", "Site URL", "Such as https://yourcompany.atlassian.net"),
      needed("service_desk_id", "Service desk ID", "Where requests are opened"),
    ],
    secrets: [
      needed("email", "Account email", "Of the user the token belongs to"),
      needed("api_token", "API token", "From id.atlassian.com"),
    ],
  },
];
