ALTER TABLE `telephony_providers` ADD `deleted_at` text;--> statement-breakpoint
CREATE INDEX `telephony_providers_deleted` ON `telephony_providers` (`deleted_at`) WHERE deleted_at IS NOT NULL;