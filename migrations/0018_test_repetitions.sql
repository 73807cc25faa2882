ALTER TABLE `agent_tests` ADD `repeat` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `agent_tests` ADD `min_passes` integer DEFAULT 1 NOT NULL;