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
ALTER TABLE `accounts` ADD `recording_retention_days` integer DEFAULT 90 NOT NULL;