CREATE TABLE `account_days` (
	`account` text NOT NULL,
	`day` text NOT NULL,
	`revision` integer NOT NULL,
	`calls` integer NOT NULL,
	`answered` integer NOT NULL,
	`talk_ms` integer NOT NULL,
	`conversations` integer NOT NULL,
	`conversation_ms` integer NOT NULL,
	`input_tokens` integer NOT NULL,
	`cached_tokens` integer NOT NULL,
	`output_tokens` integer NOT NULL,
	`speech_chars` integer NOT NULL,
	`carrier_s` integer NOT NULL,
	`tool_runs` integer NOT NULL,
	`cost_micros` integer NOT NULL,
	`cost_incomplete` integer NOT NULL,
	PRIMARY KEY(`account`, `day`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `account_days_day` ON `account_days` (`day`);