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
ALTER TABLE `telephony_providers` ADD `deleted_at` text;--> statement-breakpoint
CREATE INDEX `telephony_providers_deleted` ON `telephony_providers` (`deleted_at`) WHERE deleted_at IS NOT NULL;