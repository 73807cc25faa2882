CREATE TABLE `account_days` (
	`account` text NOT NULL,
	`day` text NOT NULL,
	`revision` integer NOT NULL,
	`calls` integer NOT NULL,
	`answered` integer NOT NULL,
	`talk_ms` integer NOT NULL,
	`conversations` integer NOT NULL,
	`conversation_ms` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`speech_chars` integer NOT NULL,
	`carrier_s` integer NOT NULL,
	`tool_runs` integer NOT NULL,
	`model_errors` integer DEFAULT 0 NOT NULL,
	`cost_micros` integer NOT NULL,
	`cost_incomplete` integer NOT NULL,
	PRIMARY KEY(`account`, `day`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_days_day` ON `account_days` (`day`);--> statement-breakpoint
CREATE TABLE `account_deletions` (
	`account` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`requested_at` text NOT NULL,
	`begins_at` text NOT NULL,
	`begun_at` text,
	`completed_at` text,
	`step` text,
	`cursor` text,
	`volumes` text DEFAULT '[]' NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL,
	`held_by` text DEFAULT '[]' NOT NULL
);
--> statement-breakpoint
CREATE TABLE `accounts` (
	`name` text PRIMARY KEY NOT NULL,
	`display_name` text NOT NULL,
	`timezone` text,
	`plan` text NOT NULL,
	`listed` integer DEFAULT false NOT NULL,
	`max_key_expiry_days` integer,
	`cap_concurrent_calls` integer,
	`cap_calls_per_minute` integer,
	`cap_calls_per_day` integer,
	`catalog_version` integer DEFAULT 0 NOT NULL,
	`recording_retention_days` integer DEFAULT 90 NOT NULL,
	`quotas` text DEFAULT '{}' NOT NULL,
	`sessions_valid_after` text,
	`disabled_at` text,
	`ledger_days` text DEFAULT '[]' NOT NULL,
	`retention_due_at` integer DEFAULT 0 NOT NULL,
	`retention_owed_since` integer,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text
);
--> statement-breakpoint
CREATE INDEX `accounts_catalog_version` ON `accounts` (`catalog_version`,`name`);--> statement-breakpoint
CREATE INDEX `accounts_retention_due` ON `accounts` (`retention_due_at`,`name`);--> statement-breakpoint
CREATE INDEX `accounts_retention_owed` ON `accounts` (`retention_owed_since`) WHERE "accounts"."retention_owed_since" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `api_keys` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last8` text NOT NULL,
	`scopes` text NOT NULL,
	`agent_ids` text,
	`allowed_addresses` text,
	`scopes_named` integer DEFAULT false NOT NULL,
	`unattended` integer DEFAULT false NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` text,
	`last_used_at` text,
	`disabled_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_account_hash` ON `api_keys` (`account`,`hash`);--> statement-breakpoint
CREATE INDEX `api_keys_account_created` ON `api_keys` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `api_keys_account_disabled` ON `api_keys` (`account`,`disabled_at`);--> statement-breakpoint
CREATE TABLE `audit_log` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`at` text NOT NULL,
	`actor` text NOT NULL,
	`actor_name` text,
	`action` text NOT NULL,
	`resource` text NOT NULL,
	`resource_id` text NOT NULL,
	`resource_name` text,
	`request_id` text NOT NULL,
	`changes` text,
	`about_account` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `audit_log_account_at` ON `audit_log` (`account`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_account_action` ON `audit_log` (`account`,`action`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_account_resource` ON `audit_log` (`account`,`resource`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_account_actor` ON `audit_log` (`account`,`actor`,`at`,`id`);--> statement-breakpoint
CREATE INDEX `audit_log_about_account` ON `audit_log` (`account`,`about_account`,`at`,`id`) WHERE "audit_log"."about_account" IS NOT NULL;--> statement-breakpoint
CREATE TABLE `users` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`name` text DEFAULT '' NOT NULL,
	`password_hash` text NOT NULL,
	`source` text DEFAULT 'password' NOT NULL,
	`role` text DEFAULT 'owner' NOT NULL,
	`sessions_valid_after` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_account_email` ON `users` (`account`,`email`) WHERE source = 'password';--> statement-breakpoint
CREATE TABLE `agent_tests` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`steps` text NOT NULL,
	`variables` text NOT NULL,
	`tool_mocks` text NOT NULL,
	`expect` text NOT NULL,
	`required` integer NOT NULL,
	`repeat` integer DEFAULT 1 NOT NULL,
	`min_passes` integer DEFAULT 1 NOT NULL,
	`conversation_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_tests_agent` ON `agent_tests` (`account`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `agent_tests_conversation` ON `agent_tests` (`account`,`conversation_id`);--> statement-breakpoint
CREATE TABLE `test_runs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`hash` text NOT NULL,
	`reason` text,
	`outcomes` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`ended_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `test_runs_hash` ON `test_runs` (`account`,`agent_id`,`hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `test_runs_account_created` ON `test_runs` (`account`,`created_at`);--> statement-breakpoint
CREATE TABLE `agent_versions` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`fields` text NOT NULL,
	`items` text NOT NULL,
	`note` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`published_at` text,
	`published_by` text,
	`used_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `number`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_versions_hash` ON `agent_versions` (`account`,`agent_id`,`hash`);--> statement-breakpoint
CREATE INDEX `agent_versions_account_used` ON `agent_versions` (`account`,`used_at`);--> statement-breakpoint
CREATE INDEX `agent_versions_recent` ON `agent_versions` (`account`,`agent_id`,`used_at`,`number`,`hash`);--> statement-breakpoint
CREATE TABLE `version_bodies` (
	`account` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `hash`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `agent_prompts` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`version` integer NOT NULL,
	`system_prompt` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_prompts_version` ON `agent_prompts` (`account`,`agent_id`,`version`);--> statement-breakpoint
CREATE TABLE `agents` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`status` text NOT NULL,
	`llm_model` text NOT NULL,
	`fallback_model` text,
	`voice_provider` text NOT NULL,
	`voice_id` text NOT NULL,
	`system_prompt` text NOT NULL,
	`greeting_message` text NOT NULL,
	`voicemail_message` text DEFAULT '' NOT NULL,
	`greeting_mode` text NOT NULL,
	`auth_mode` text NOT NULL,
	`background_audio_enabled` integer NOT NULL,
	`background_audio_volume` real NOT NULL,
	`noise_suppression_enabled` integer NOT NULL,
	`ringing_enabled` integer NOT NULL,
	`transfer_targets` text DEFAULT '[]' NOT NULL,
	`max_output_tokens` integer DEFAULT 1000 NOT NULL,
	`filler_after_ms` integer DEFAULT 1500 NOT NULL,
	`timezone` text,
	`language` text DEFAULT 'en-US' NOT NULL,
	`languages` text DEFAULT '[]' NOT NULL,
	`key_terms` text DEFAULT '[]' NOT NULL,
	`phrases` text DEFAULT '{"silence":null,"apology":null,"goodbye":null,"filler":null,"budget":null,"unavailable":null,"no_answer":null,"filtered":null,"resumed":null,"time_up":null}' NOT NULL,
	`storage` text DEFAULT 'all' NOT NULL,
	`redact` text DEFAULT '["card","iban","email","phone","ssn"]' NOT NULL,
	`analysis` text DEFAULT '{"enabled":false,"model":null,"summary":true,"criteria":[],"data":[]}' NOT NULL,
	`disclosure` text DEFAULT '"account"' NOT NULL,
	`versioning` text DEFAULT 'auto' NOT NULL,
	`published_version` integer,
	`template_id` text,
	`active_prompt_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `agents_account_created` ON `agents` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `budgets` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`scope` text NOT NULL,
	`scope_id` text,
	`period` text NOT NULL,
	`unit` text NOT NULL,
	`limit` integer NOT NULL,
	`warn_at` text NOT NULL,
	`action` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `budgets_account_created` ON `budgets` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `call_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`retention_days` integer,
	`record_outbound` integer DEFAULT true NOT NULL,
	`record_inbound` integer DEFAULT false NOT NULL,
	`recording_announcement` text,
	`disclosure` text DEFAULT '{"mode":"off","texts":{}}' NOT NULL,
	`ring_timeout_s` integer DEFAULT 45 NOT NULL,
	`inbound_reserve` integer,
	`allowed_destinations` text,
	`caller_concurrent_calls` integer DEFAULT 2,
	`caller_calls_per_day` integer DEFAULT 20,
	`voicemail` text DEFAULT 'hang_up' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `campaigns` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`agent_id` text,
	`agent_version` integer,
	`from_number` text,
	`revision` integer NOT NULL,
	`record` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	CONSTRAINT "campaigns_record_is_object" CHECK(json_type("campaigns"."record") = 'object')
);
--> statement-breakpoint
CREATE INDEX `campaigns_account_created` ON `campaigns` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `campaigns_account_agent_status` ON `campaigns` (`account`,`agent_id`,`status`);--> statement-breakpoint
CREATE INDEX `campaigns_open` ON `campaigns` (`account`,`id`) WHERE status IN ('draft', 'running', 'paused');--> statement-breakpoint
CREATE TABLE `agent_faqs` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`faq_id` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`body_hash` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `faq_id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account`,`faq_id`) REFERENCES `faqs`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_faqs_in_order` ON `agent_faqs` (`account`,`agent_id`,`position`,`created_at`,`faq_id`);--> statement-breakpoint
CREATE INDEX `agent_faqs_account_faq` ON `agent_faqs` (`account`,`faq_id`);--> statement-breakpoint
CREATE TABLE `agent_playbooks` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`playbook_id` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`body_hash` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `playbook_id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account`,`playbook_id`) REFERENCES `playbooks`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_playbooks_in_order` ON `agent_playbooks` (`account`,`agent_id`,`position`,`created_at`,`playbook_id`);--> statement-breakpoint
CREATE INDEX `agent_playbooks_account_playbook` ON `agent_playbooks` (`account`,`playbook_id`);--> statement-breakpoint
CREATE TABLE `agent_tools` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`tool_name` text NOT NULL,
	`enabled` integer NOT NULL,
	`config` text NOT NULL,
	`position` integer DEFAULT 0 NOT NULL,
	`body_hash` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `tool_name`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account`,`tool_name`) REFERENCES `tools`(`account`,`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_tools_in_order` ON `agent_tools` (`account`,`agent_id`,`position`,`tool_name`);--> statement-breakpoint
CREATE INDEX `agent_tools_account_tool` ON `agent_tools` (`account`,`tool_name`);--> statement-breakpoint
CREATE TABLE `faqs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`title` text NOT NULL,
	`summary` text NOT NULL,
	`content` text NOT NULL,
	`category` text NOT NULL,
	`tags` text NOT NULL,
	`is_default` integer NOT NULL,
	`modified_from_default` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `faqs_account_name` ON `faqs` (`account`,`name`);--> statement-breakpoint
CREATE INDEX `faqs_account_default` ON `faqs` (`account`,`is_default`);--> statement-breakpoint
CREATE TABLE `integration_installs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`installed_at` text,
	`params` text NOT NULL,
	`secrets` text,
	`secret_names` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `playbooks` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`tags` text NOT NULL,
	`tool_names` text NOT NULL,
	`triggers` text NOT NULL,
	`content` text,
	`is_default` integer NOT NULL,
	`modified_from_default` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `playbooks_account_name` ON `playbooks` (`account`,`name`);--> statement-breakpoint
CREATE INDEX `playbooks_account_category` ON `playbooks` (`account`,`category`,`name`);--> statement-breakpoint
CREATE INDEX `playbooks_account_default` ON `playbooks` (`account`,`is_default`);--> statement-breakpoint
CREATE TABLE `tools` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`display_name` text NOT NULL,
	`description` text NOT NULL,
	`category` text NOT NULL,
	`implementation_type` text NOT NULL,
	`implementation_code` text NOT NULL,
	`implementation_config` text NOT NULL,
	`schema` text NOT NULL,
	`effect` text,
	`max_runs` integer,
	`bind` text,
	`tags` text NOT NULL,
	`is_default` integer NOT NULL,
	`modified_from_default` integer NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tools_account_name` ON `tools` (`account`,`name`);--> statement-breakpoint
CREATE INDEX `tools_account_category` ON `tools` (`account`,`category`,`name`);--> statement-breakpoint
CREATE INDEX `tools_account_type` ON `tools` (`account`,`implementation_type`,`name`);--> statement-breakpoint
CREATE INDEX `tools_account_default` ON `tools` (`account`,`is_default`);--> statement-breakpoint
CREATE TABLE `do_not_call` (
	`account` text NOT NULL,
	`phone_number` text NOT NULL,
	`reason` text,
	`conversation_id` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `phone_number`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `do_not_call_account_created` ON `do_not_call` (`account`,`created_at`,`phone_number`);--> statement-breakpoint
CREATE TABLE `erased_opt_outs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`sealed` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `agent_documents` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`document_id` text NOT NULL,
	`mode` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `document_id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade,
	FOREIGN KEY (`account`,`document_id`) REFERENCES `documents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_documents_in_order` ON `agent_documents` (`account`,`agent_id`,`created_at`,`document_id`);--> statement-breakpoint
CREATE INDEX `agent_documents_account_document` ON `agent_documents` (`account`,`document_id`);--> statement-breakpoint
CREATE TABLE `documents` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`title` text NOT NULL,
	`source` text NOT NULL,
	`language` text,
	`file_name` text NOT NULL,
	`content_type` text NOT NULL,
	`url` text,
	`pages` integer,
	`refresh_hours` integer,
	`bytes` integer NOT NULL,
	`sha256` text NOT NULL,
	`text_sha256` text,
	`effective_from` text,
	`effective_until` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `documents_same` ON `documents` (`account`,`title`,`sha256`);--> statement-breakpoint
CREATE INDEX `documents_account_created` ON `documents` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `documents_account_bytes` ON `documents` (`account`,`bytes`);--> statement-breakpoint
CREATE TABLE `erasures` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`subject` text NOT NULL,
	`hint` text,
	`counts` text NOT NULL,
	`created_at` text NOT NULL,
	`completed_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erasures_account_created` ON `erasures` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `erasures_pending` ON `erasures` (`account`) WHERE status = 'pending';--> statement-breakpoint
CREATE TABLE `invitations` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`role` text NOT NULL,
	`hash` text NOT NULL,
	`invited_by` text NOT NULL,
	`created_at` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `invitations_account_email` ON `invitations` (`account`,`email`);--> statement-breakpoint
CREATE INDEX `invitations_account_hash` ON `invitations` (`account`,`hash`);--> statement-breakpoint
CREATE TABLE `removed_members` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`email` text NOT NULL,
	`removed_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `object_gauges` (
	`account` text NOT NULL,
	`object` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`storage_bytes` integer NOT NULL,
	`outbox_rows` integer NOT NULL,
	`outbox_parked` integer DEFAULT 0 NOT NULL,
	`outbox_since` integer,
	`alarm_lag_ms` integer NOT NULL,
	`call_leases` integer DEFAULT 0 NOT NULL,
	`live_leases` integer DEFAULT 0 NOT NULL,
	`retention_since` integer,
	PRIMARY KEY(`account`, `object`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `object_gauges_kind` ON `object_gauges` (`kind`);--> statement-breakpoint
CREATE TABLE `operator_tokens` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last8` text NOT NULL,
	`scopes` text NOT NULL,
	`accounts` text,
	`allowed_addresses` text NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_tokens_account_hash` ON `operator_tokens` (`account`,`hash`);--> statement-breakpoint
CREATE TABLE `pending_events` (
	`account` text NOT NULL,
	`at` text NOT NULL,
	`type` text NOT NULL,
	`resource` text NOT NULL,
	`data` text NOT NULL,
	PRIMARY KEY(`account`, `at`, `type`, `resource`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `prices` (
	`account` text NOT NULL,
	`what` text NOT NULL,
	`since` text NOT NULL,
	`unit_micros` integer,
	PRIMARY KEY(`account`, `what`, `since`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `privacy_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`calls_days` integer,
	`events_days` integer,
	`audit_days` integer,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `quota_ceilings` (
	`account` text NOT NULL,
	`name` text NOT NULL,
	`ceiling` integer NOT NULL,
	PRIMARY KEY(`account`, `name`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `restores` (
	`account` text PRIMARY KEY NOT NULL,
	`backup` text NOT NULL,
	`begun_at` text NOT NULL,
	`finished_at` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `scheduled_jobs` (
	`job` text PRIMARY KEY NOT NULL,
	`succeeded_at` integer,
	`failing_since` integer
);
--> statement-breakpoint
CREATE TABLE `password_resets` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`hash` text NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`id`) REFERENCES `users`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `password_resets_account_hash` ON `password_resets` (`account`,`hash`);--> statement-breakpoint
CREATE TABLE `second_factors` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`secret` text,
	`pending_secret` text,
	`recovery_codes` text DEFAULT '[]' NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`id`) REFERENCES `users`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `sign_in_policies` (
	`account` text PRIMARY KEY NOT NULL,
	`require_second_factor` integer DEFAULT false NOT NULL,
	`session_hours` integer DEFAULT 12 NOT NULL,
	`idle_minutes` integer DEFAULT 120 NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `phone_numbers` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`e164` text NOT NULL,
	`provider` text NOT NULL,
	`credentials_id` text,
	`agent_id` text,
	`inbound_enabled` integer NOT NULL,
	`outbound_enabled` integer NOT NULL,
	`last_check` text,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`credentials_id`) REFERENCES `telephony_providers`(`account`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `phone_numbers_account_e164` ON `phone_numbers` (`account`,`e164`);--> statement-breakpoint
CREATE INDEX `phone_numbers_account_created` ON `phone_numbers` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `phone_numbers_account_agent` ON `phone_numbers` (`account`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `phone_numbers_account_credentials` ON `phone_numbers` (`account`,`credentials_id`);--> statement-breakpoint
CREATE TABLE `telephony_providers` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`provider` text NOT NULL,
	`label` text NOT NULL,
	`credentials` text NOT NULL,
	`credential_keys` text NOT NULL,
	`created_at` text NOT NULL,
	`deleted_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `telephony_providers_account_created` ON `telephony_providers` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `telephony_providers_account_deleted` ON `telephony_providers` (`account`,`deleted_at`);--> statement-breakpoint
CREATE INDEX `telephony_providers_deleted` ON `telephony_providers` (`deleted_at`) WHERE deleted_at IS NOT NULL;--> statement-breakpoint
CREATE TABLE `webhooks` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`url` text NOT NULL,
	`types` text NOT NULL,
	`description` text,
	`agent_ids` text,
	`enabled` integer NOT NULL,
	`disabled_reason` text,
	`shows` text NOT NULL,
	`secrets` text NOT NULL,
	`begins_at` text NOT NULL,
	`beginning` integer NOT NULL,
	`address_revision` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `webhooks_account_created` ON `webhooks` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `agent_widget_settings` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`auth_mode` text NOT NULL,
	`widget_enabled` integer NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `agent_id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE TABLE `spent_tokens` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `spent_tokens_account_expires` ON `spent_tokens` (`account`,`expires_at`);--> statement-breakpoint
CREATE TABLE `visitor_families` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`current` text,
	`expires_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `visitor_families_expires` ON `visitor_families` (`expires_at`);--> statement-breakpoint
CREATE TABLE `widget_keys` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last8` text NOT NULL,
	`sealed_key` text,
	`agent_id` text,
	`domain_allowlist` text NOT NULL,
	`limits` text DEFAULT '{}' NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`last_used_at` text,
	`disabled_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `widget_keys_account_hash` ON `widget_keys` (`account`,`hash`);--> statement-breakpoint
CREATE INDEX `widget_keys_account_created` ON `widget_keys` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `widget_keys_account_agent` ON `widget_keys` (`account`,`agent_id`);--> statement-breakpoint
CREATE INDEX `widget_keys_account_disabled` ON `widget_keys` (`account`,`disabled_at`);--> statement-breakpoint
CREATE TABLE `widget_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`accent_color` text NOT NULL,
	`launcher_label` text NOT NULL,
	`launcher_position` text NOT NULL,
	`logo_url` text NOT NULL,
	`primary_color` text NOT NULL,
	`privacy_notice` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
INSERT INTO `accounts` (`name`, `display_name`, `plan`, `listed`, `created_at`, `updated_at`) VALUES ('service-admin', 'Platform operators', 'starter', 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
