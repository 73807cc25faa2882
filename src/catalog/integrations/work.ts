import type { CatalogIntegration } from "../types.ts";
import { needed, optional } from "./fields.ts";

export const workIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec09-7d26-b254-88174116043b",
    name: "google_calendar",
    display_name: "Google Calendar",
    description: "Read free times and book into shared calendars.",
    category: "calendar",
    params: [needed("calendar_id", "Calendar ID", "From the settings of the calendar")],
    secrets: [
      needed(
        "service_account_json",
        "Service account key",
        "JSON key of a service account the calendar is shared with",
      ),
    ],
  },
  {
    id: "019aa3b5-ec0a-7735-8cab-d85ed854a100",
    name: "microsoft_365_calendar",
    display_name: "Microsoft 365 Calendar",
    description: "Free times and meetings in Outlook calendars.",
    category: "calendar",
    params: [
      needed("tenant_id", "Tenant ID", "Directory ID of your organisation"),
      needed("mailbox", "Mailbox", "Whose calendar it is"),
    ],
    secrets: [
      needed("client_id", "Application ID", "With Calendars.ReadWrite"),
      needed("client_secret", "Client secret", "Of the same application"),
    ],
  },
  {
    id: "019aa3b5-ec0b-7c59-95bf-5d85030129c0",
    name: "cal_com",
    display_name: "Cal.com",
    description: "Slots and bookings of your event types.",
    category: "calendar",
    params: [optional("base_url", "Base URL", "For self-hosted installations")],
    secrets: [needed("api_key", "API key", "From Settings → Developer")],
  },
  {
    id: "019aa3b5-ec0c-74e7-a391-ffa44542706e",
    name: "calendly",
    display_name: "Calendly",
    description: "Send scheduling links and read bookings.",
    category: "calendar",
    params: [needed("user_uri", "User or organisation URI", "Whose event types are offered")],
    secrets: [needed("access_token", "Personal access token", "From Integrations → API")],
  },
  {
    id: "019aa3b5-ec0d-7737-aa88-0a3271141bde",
    name: "slack",
    display_name: "Slack",
    description: "Tell a channel about calls that need a person.",
    category: "messaging",
    params: [needed("channel", "Channel", "Name or ID of the channel")],
    secrets: [needed("bot_token", "Bot token", "Begins with xoxb-; needs chat:write")],
  },
  {
    id: "019aa3b5-ec0e-752c-a12f-e52117cc5043",
    name: "microsoft_teams",
    display_name: "Microsoft Teams",
    description: "Post summaries of calls to a channel.",
    category: "messaging",
    params: [],
    secrets: [needed("webhook_url", "Workflow webhook URL", "Of a “post to a channel” workflow")],
  },
  {
    id: "019aa3b5-ec0f-70b6-a563-84d6dd9ed89e",
    name: "twilio_messaging",
    display_name: "Twilio Messaging",
    description: "Text messages to callers who agreed.",
    category: "messaging",
    params: [
      needed("account_sid", "Account SID", "Begins with AC"),
      needed("messaging_service_sid", "Messaging service SID", "Begins with MG"),
    ],
    secrets: [needed("basic_auth", "API credentials", "key:secret, base64")],
  },
  {
    id: "019aa3b5-ec10-7ae3-b69c-ac5f22f37b62",
    name: "sendgrid",
    display_name: "SendGrid",
    description: "Confirmations and summaries by email.",
    category: "messaging",
    params: [needed("from_email", "Sender", "A verified sender address")],
    secrets: [needed("api_key", "API key", "With mail send permission")],
  },
];
