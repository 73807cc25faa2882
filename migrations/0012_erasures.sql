CREATE TABLE `erasures` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`status` text NOT NULL,
	`subject` text NOT NULL,
	`hint` text,
	`counts` text NOT NULL,
	`created_at` text NOT NULL,
	`completed_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `erasures_account_created` ON `erasures` (`account`,`created_at`,`id`);--> statement-breakpoint
CREATE INDEX `erasures_pending` ON `erasures` (`account`) WHERE status = 'pending';