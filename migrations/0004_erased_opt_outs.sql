CREATE TABLE `erased_opt_outs` (
	`account` text NOT NULL,
	`id` text NOT NULL,
	`sealed` text,
	PRIMARY KEY(`account`, `id`),
	FOREIGN KEY (`account`) REFERENCES `accounts`(`name`) ON UPDATE no action ON DELETE no action
);
