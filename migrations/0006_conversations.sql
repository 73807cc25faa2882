CREATE TABLE `call_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`retention_days` integer,
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
ALTER TABLE `calls` ADD `variables` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `calls` ADD `own_metadata` text DEFAULT '{}' NOT NULL;