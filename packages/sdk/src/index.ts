export { Switchboard, type SwitchboardOptions } from "./client.ts";
export { type FieldError, SwitchboardError } from "./errors.ts";
export { List } from "./pages.ts";
export { type FollowDependencies, type FollowOptions, follow, type ServerEvent, type StreamEvent } from "./sse.ts";
export { type Authorization, etagOf, type Sending, Transport, type TransportOptions } from "./transport.ts";
export type { Answer, CallOptions, Init, Method, PathOf, Query, RequestOptions, Schema } from "./types.ts";
export { type Progress, type UploadOptions, upload } from "./upload.ts";
export { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "./webhook.ts";
