CREATE TABLE `agent_widget_settings` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`auth_mode` text NOT NULL,
	`widget_enabled` integer NOT NULL,
	`updated_at` text NOT NULL,
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
CREATE TABLE `widget_settings` (
	`account` text PRIMARY KEY NOT NULL,
	`accent_color` text NOT NULL,
	`launcher_label` text NOT NULL,
	`launcher_position` text NOT NULL,
	`logo_url` text NOT NULL,
	`primary_color` text NOT NULL,
	`privacy_notice` text NOT NULL,
	`updated_at` text NOT NULL,
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
