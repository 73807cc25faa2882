ALTER TABLE `tools` ADD `effect` text;--> statement-breakpoint
ALTER TABLE `tools` ADD `max_runs` integer;--> statement-breakpoint
ALTER TABLE `tools` ADD `bind` text;