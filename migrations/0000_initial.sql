CREATE TABLE `accounts` (
	`name` text PRIMARY KEY NOT NULL,
	`display_name` text NOT NULL,
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
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `accounts_catalog_version` ON `accounts` (`catalog_version`,`name`);--> statement-breakpoint
CREATE TABLE `api_keys` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last8` text NOT NULL,
	`created_at` text NOT NULL,
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
	`sessions_valid_after` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `users_account_email` ON `users` (`account`,`email`);--> statement-breakpoint
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
	`voice_provider` text NOT NULL,
	`voice_id` text NOT NULL,
	`system_prompt` text NOT NULL,
	`greeting_message` text NOT NULL,
	`greeting_mode` text NOT NULL,
	`auth_mode` text NOT NULL,
	`background_audio_enabled` integer NOT NULL,
	`background_audio_volume` real NOT NULL,
	`noise_suppression_enabled` integer NOT NULL,
	`ringing_enabled` integer NOT NULL,
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
CREATE TABLE `campaigns` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`agent_id` text,
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
CREATE TABLE `call_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`retention_days` integer,
	`record_outbound` integer DEFAULT true NOT NULL,
	`record_inbound` integer DEFAULT false NOT NULL,
	`recording_announcement` text,
	`ring_timeout_s` integer DEFAULT 45 NOT NULL,
	`inbound_reserve` integer,
	`voicemail` text DEFAULT 'hang_up' NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `conversations` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`session_key` text NOT NULL,
	`kind` text NOT NULL,
	`status` text NOT NULL,
	`direction` text,
	`agent_id` text NOT NULL,
	`prompt_id` text,
	`call_id` text,
	`campaign_id` text,
	`contact_id` text,
	`visitor_id` text,
	`visitor_type` text,
	`phone_number` text,
	`variables` text NOT NULL,
	`started_at` text NOT NULL,
	`ended_at` text,
	`end_reason` text,
	`transferred_to` text,
	`disposition` text,
	`turn_count` integer NOT NULL,
	`tool_call_count` integer NOT NULL,
	`usage` text NOT NULL,
	`latency` text NOT NULL,
	`complete` integer NOT NULL,
	`archived` integer NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `conversations_account_started` ON `conversations` (`account`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_session` ON `conversations` (`account`,`session_key`,`started_at`);--> statement-breakpoint
CREATE INDEX `conversations_account_agent` ON `conversations` (`account`,`agent_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_campaign` ON `conversations` (`account`,`campaign_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_contact` ON `conversations` (`account`,`contact_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_call` ON `conversations` (`account`,`call_id`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_kind` ON `conversations` (`account`,`kind`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_disposition` ON `conversations` (`account`,`disposition`,`started_at`,`id`);--> statement-breakpoint
CREATE INDEX `conversations_account_phone` ON `conversations` (`account`,`phone_number`,`started_at`,`id`);--> statement-breakpoint
CREATE TABLE `do_not_call` (
	`account` text NOT NULL,
	`phone_number` text NOT NULL,
	`reason` text,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `phone_number`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `do_not_call_account_created` ON `do_not_call` (`account`,`created_at`,`phone_number`);--> statement-breakpoint
CREATE TABLE `quota_ceilings` (
	`account` text NOT NULL,
	`name` text NOT NULL,
	`ceiling` integer NOT NULL,
	PRIMARY KEY(`account`, `name`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE TABLE `recordings` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`call_id` text NOT NULL,
	`agent_id` text NOT NULL,
	`campaign_id` text,
	`provider_recording_id` text NOT NULL,
	`content_type` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`duration_ms` integer,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `recordings_account_source` ON `recordings` (`account`,`call_id`,`provider_recording_id`);--> statement-breakpoint
CREATE INDEX `recordings_account_created` ON `recordings` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `recordings_account_call` ON `recordings` (`account`,`call_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `recordings_account_agent` ON `recordings` (`account`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE TABLE `calls` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`direction` text NOT NULL,
	`status` text NOT NULL,
	`agent_id` text NOT NULL,
	`campaign_id` text,
	`from_number` text NOT NULL,
	`to_number` text NOT NULL,
	`provider` text NOT NULL,
	`credentials_id` text,
	`provider_call_id` text,
	`end_reason` text,
	`created_at` text NOT NULL,
	`started_at` text,
	`connected_at` text,
	`ended_at` text,
	`recorded` integer,
	`recording_id` text,
	`voicemail` text,
	`message` text,
	`message_until` integer,
	`metadata` text NOT NULL,
	`variables` text DEFAULT '{}' NOT NULL,
	`own_metadata` text DEFAULT '{}' NOT NULL,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `calls_account_created` ON `calls` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_agent` ON `calls` (`account`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_campaign` ON `calls` (`account`,`campaign_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_status` ON `calls` (`account`,`status`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_from` ON `calls` (`account`,`from_number`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_to` ON `calls` (`account`,`to_number`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `calls_account_statistics` ON `calls` (`account`,substr(created_at, 1, 13),status,end_reason,ended_at IS NOT NULL,(status = 'completed' OR connected_at IS NOT NULL),metadata ->> 'answered_by' IS 'machine',metadata ->> 'hangup_requested' IS 1,CAST(round((unixepoch(ended_at, 'subsec') - unixepoch(connected_at, 'subsec')) * 1000) AS integer),`direction`,`agent_id`,`campaign_id`);--> statement-breakpoint
CREATE UNIQUE INDEX `calls_account_inbound` ON `calls` (`account`,`provider`,`provider_call_id`) WHERE direction = 'inbound';--> statement-breakpoint
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
CREATE TABLE `tool_runs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`tool_name` text NOT NULL,
	`at` text NOT NULL,
	`conversation_id` text,
	`tool_call_id` text,
	`ok` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tool_runs_account_tool` ON `tool_runs` (`account`,`tool_name`,`at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tool_runs_account_call` ON `tool_runs` (`account`,`conversation_id`,`tool_call_id`);--> statement-breakpoint
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
	`agent_id` text,
	`domain_allowlist` text NOT NULL,
	`created_at` text NOT NULL,
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
);--> statement-breakpoint
INSERT INTO `accounts` (`name`, `display_name`, `plan`, `listed`, `created_at`, `updated_at`) VALUES ('service-admin', 'Platform operators', 'starter', 0, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), strftime('%Y-%m-%dT%H:%M:%fZ', 'now'));
