ALTER TABLE `object_gauges` ADD `outbox_parked` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `widget_keys` ADD `created_by` text;