CREATE TABLE `account_deletions` (
	`account` text PRIMARY KEY NOT NULL,
	`status` text NOT NULL,
	`requested_at` text NOT NULL,
	`begins_at` text NOT NULL,
	`begun_at` text,
	`completed_at` text,
	`step` text,
	`place` text,
	`volumes` text DEFAULT '[]' NOT NULL,
	`objects` integer DEFAULT 0 NOT NULL,
	`files` integer DEFAULT 0 NOT NULL,
	`rows` integer DEFAULT 0 NOT NULL
);
