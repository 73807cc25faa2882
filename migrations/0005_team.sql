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
DROP INDEX `users_account_email`;--> statement-breakpoint
ALTER TABLE `users` ADD `source` text DEFAULT 'password' NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `role` text DEFAULT 'owner' NOT NULL;--> statement-breakpoint
CREATE UNIQUE INDEX `users_account_email` ON `users` (`account`,`email`) WHERE source = 'password';--> statement-breakpoint
ALTER TABLE `api_keys` ADD `scopes` text DEFAULT '["read","listen","build","connect","dial","manage","runtime"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_ids` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `allowed_addresses` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;