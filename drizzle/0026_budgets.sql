CREATE TABLE `budgets` (
	`model` text NOT NULL,
	`series` text NOT NULL,
	`feature` text NOT NULL,
	`is_known` integer NOT NULL,
	`remaining` real NOT NULL,
	`made_at` integer NOT NULL,
	`state` text NOT NULL,
	PRIMARY KEY(`model`, `series`, `feature`),
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `budgets_by_remaining` ON `budgets` (`is_known`,`remaining`);