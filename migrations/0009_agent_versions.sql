CREATE TABLE `agent_tests` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`name` text NOT NULL,
	`steps` text NOT NULL,
	`variables` text NOT NULL,
	`tool_mocks` text NOT NULL,
	`expect` text NOT NULL,
	`required` integer NOT NULL,
	`conversation_id` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`updated_at` text NOT NULL,
	`revision` integer DEFAULT 1 NOT NULL,
	`updated_by` text,
	`revised_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `agent_tests_agent` ON `agent_tests` (`account`,`agent_id`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `agent_tests_conversation` ON `agent_tests` (`account`,`conversation_id`);--> statement-breakpoint
CREATE TABLE `test_runs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`agent_id` text NOT NULL,
	`status` text NOT NULL,
	`version` integer NOT NULL,
	`hash` text NOT NULL,
	`reason` text,
	`outcomes` text NOT NULL,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`ended_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `test_runs_hash` ON `test_runs` (`account`,`agent_id`,`hash`,`created_at`);--> statement-breakpoint
CREATE INDEX `test_runs_account_created` ON `test_runs` (`account`,`created_at`);--> statement-breakpoint
CREATE TABLE `agent_versions` (
	`account` text NOT NULL,
	`agent_id` text NOT NULL,
	`number` integer NOT NULL,
	`hash` text NOT NULL,
	`fields` text NOT NULL,
	`items` text NOT NULL,
	`note` text,
	`created_by` text NOT NULL,
	`created_at` text NOT NULL,
	`published_at` text,
	`published_by` text,
	`used_at` text NOT NULL,
	PRIMARY KEY(`account`, `agent_id`, `number`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`account`,`agent_id`) REFERENCES `agents`(`account`,`id`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE UNIQUE INDEX `agent_versions_hash` ON `agent_versions` (`account`,`agent_id`,`hash`);--> statement-breakpoint
CREATE INDEX `agent_versions_account_used` ON `agent_versions` (`account`,`used_at`);--> statement-breakpoint
CREATE INDEX `agent_versions_recent` ON `agent_versions` (`account`,`agent_id`,`used_at`,`number`,`hash`);--> statement-breakpoint
CREATE TABLE `version_bodies` (
	`account` text NOT NULL,
	`hash` text NOT NULL,
	`body` text NOT NULL,
	`created_at` text NOT NULL,
	PRIMARY KEY(`account`, `hash`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
ALTER TABLE `agents` ADD `analysis` text DEFAULT '{"enabled":false,"model":null,"summary":true,"criteria":[],"data":[]}' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `versioning` text DEFAULT 'auto' NOT NULL;--> statement-breakpoint
ALTER TABLE `agents` ADD `published_version` integer;--> statement-breakpoint
ALTER TABLE `campaigns` ADD `agent_version` integer;--> statement-breakpoint
ALTER TABLE `agent_faqs` ADD `body_hash` text;--> statement-breakpoint
ALTER TABLE `agent_playbooks` ADD `body_hash` text;--> statement-breakpoint
ALTER TABLE `agent_tools` ADD `body_hash` text;