ALTER TABLE `api_keys` ADD `scopes` text DEFAULT '["read","listen","build","connect","dial","manage","runtime"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `agent_ids` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `allowed_addresses` text;--> statement-breakpoint
ALTER TABLE `users` ADD `role` text DEFAULT 'owner' NOT NULL;