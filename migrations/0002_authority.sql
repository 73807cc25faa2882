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
ALTER TABLE `agents` ADD `transfer_targets` text DEFAULT '[]' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `max_output_tokens` integer DEFAULT 1000 NOT NULL;--> statement-breakpoint
ALTER TABLE `tools` ADD `effect` text;--> statement-breakpoint
ALTER TABLE `tools` ADD `max_runs` integer;--> statement-breakpoint
ALTER TABLE `tools` ADD `bind` text;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `allowed_destinations` text;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `caller_concurrent_calls` integer DEFAULT 2;--> statement-breakpoint
ALTER TABLE `call_settings` ADD `caller_calls_per_day` integer DEFAULT 20;--> statement-breakpoint
ALTER TABLE `widget_keys` ADD `limits` text DEFAULT '{}' NOT NULL;