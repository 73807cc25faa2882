CREATE TABLE `object_gauges` (
	`account` text NOT NULL,
	`object` text NOT NULL,
	`kind` text NOT NULL,
	`at` integer NOT NULL,
	`storage_bytes` integer NOT NULL,
	`outbox_rows` integer NOT NULL,
	`outbox_since` integer,
	`alarm_lag_ms` integer NOT NULL,
	`call_leases` integer DEFAULT 0 NOT NULL,
	`live_leases` integer DEFAULT 0 NOT NULL,
	PRIMARY KEY(`account`, `object`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `object_gauges_kind` ON `object_gauges` (`kind`);--> statement-breakpoint
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
	`address` integer NOT NULL,
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
ALTER TABLE `api_keys` ADD `scopes_named` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `unattended` integer DEFAULT false NOT NULL;