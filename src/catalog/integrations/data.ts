import type { CatalogIntegration } from "../types.ts";
import { needed, optional } from "./fields.ts";

export const dataIntegrations: CatalogIntegration[] = [
  {
    id: "019aa3b5-ec15-73b5-9402-ea8624d8f678",
    name: "google_sheets",
    display_name: "Google Sheets",
    description: "Append a row for every call.",
    category: "storage",
    params: [
      needed("spreadsheet_id", "Spreadsheet ID", "From its address"),
      optional("sheet", "Sheet", "Name of the tab"),
    ],
    secrets: [needed("service_account_json", "Service account key", "JSON key of a service account with edit rights")],
  },
  {
    id: "019aa3b5-ec16-7e7b-8b07-1e767f32cd1d",
    name: "airtable",
    display_name: "Airtable",
    description: "Read from and write to your bases.",
    category: "storage",
    params: [needed("base_id", "Base ID", "Begins with app"), needed("table", "Table", "Name or ID")],
    secrets: [needed("access_token", "Personal access token", "With data.records read and write")],
  },
  {
    id: "019aa3b5-ec17-7fa9-b90b-ed7f1abe7296",
    name: "amazon_s3",
    display_name: "Amazon S3",
    description: "Keep recordings and transcripts in your bucket.",
    category: "storage",
    params: [
      needed("bucket", "Bucket", "Its name"),
      needed("region", "Region", "Such as eu-central-1"),
      optional("prefix", "Prefix", "Folder for what we store"),
    ],
    secrets: [
      needed("access_key_id", "Access key ID", "Of a user that may put objects"),
      needed("secret_access_key", "Secret access key", "Of the same user"),
    ],
  },
  {
    id: "019aa3b5-ec18-7e5c-86e3-25cff4664ac4",
    name: "bigquery",
    display_name: "BigQuery",
    description: "Stream call events into a data set.",
    category: "analytics",
    params: [
      needed("project_id", "Project", "Google Cloud project ID"),
      needed("dataset", "Data set", "Where tables are made"),
    ],
    secrets: [needed("service_account_json", "Service account key", "With BigQuery Data Editor")],
  },
  {
    id: "019aa3b5-ec19-7b13-9fff-7064cbd62e1e",
    name: "segment",
    display_name: "Segment",
    description: "Send call events as track calls.",
    category: "analytics",
    params: [optional("source_name", "Source", "For your own orientation")],
    secrets: [needed("write_key", "Write key", "Of an HTTP source")],
  },
  {
    id: "019aa3b5-ec1a-7457-9fa4-f0fd3399854f",
    name: "zapier",
    display_name: "Zapier",
    description: "Start a Zap when a call ends.",
    category: "automation",
    params: [],
    secrets: [needed("webhook_url", "Catch hook URL", "Of a Webhooks by Zapier trigger")],
  },
  {
    id: "019aa3b5-ec1b-75d9-a39a-9418960a462e",
    name: "make",
    display_name: "Make",
    description: "Start a scenario when a call ends.",
    category: "automation",
    params: [],
    secrets: [
      needed("webhook_url", "Custom webhook URL", "Of the scenario"),
      optional("api_key", "Webhook API key", "If the webhook asks for one"),
    ],
  },
  {
    id: "019aa3b5-ec1c-794e-b272-9aec3e850a31",
    name: "n8n",
    display_name: "n8n",
    description: "Start a workflow of your own n8n.",
    category: "automation",
    params: [needed("webhook_url", "Production webhook URL", "Of a Webhook node")],
    secrets: [optional("header_value", "Header value", "If the node checks a header")],
  },
];
