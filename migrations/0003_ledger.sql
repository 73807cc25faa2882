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
	`cost_micros` integer NOT NULL,
	`cost_incomplete` integer NOT NULL,
	PRIMARY KEY(`account`, `day`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_days_day` ON `account_days` (`day`);--> statement-breakpoint
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
	`calls_deleted_on` text,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
DROP TABLE `conversations`;--> statement-breakpoint
DROP TABLE `recordings`;--> statement-breakpoint
DROP TABLE `calls`;--> statement-breakpoint
DROP TABLE `tool_runs`;--> statement-breakpoint
ALTER TABLE `accounts` ADD `ledger_days` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `storage` text DEFAULT 'all' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `redact` text DEFAULT '["card","iban","email","phone","ssn"]' NOT NULL;