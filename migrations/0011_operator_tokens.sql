CREATE TABLE `operator_tokens` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`name` text NOT NULL,
	`hash` text NOT NULL,
	`last8` text NOT NULL,
	`scopes` text NOT NULL,
	`accounts` text,
	`allowed_addresses` text NOT NULL,
	`created_at` text NOT NULL,
	`created_by` text NOT NULL,
	`expires_at` text NOT NULL,
	`last_used_at` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `operator_tokens_account_hash` ON `operator_tokens` (`account`,`hash`);