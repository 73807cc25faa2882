CREATE TABLE `tool_runs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`tool_name` text NOT NULL,
	`at` text NOT NULL,
	`conversation_id` text,
	`tool_call_id` text,
	`ok` integer NOT NULL,
	`status` integer,
	`duration_ms` integer NOT NULL,
	`error` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `tool_runs_account_tool` ON `tool_runs` (`account`,`tool_name`,`at`,`id`);--> statement-breakpoint
CREATE UNIQUE INDEX `tool_runs_account_call` ON `tool_runs` (`account`,`conversation_id`,`tool_call_id`);