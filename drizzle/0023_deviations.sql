CREATE TABLE `deviations` (
	`id` integer PRIMARY KEY NOT NULL,
	`model` text NOT NULL,
	`series` text,
	`start_at` integer NOT NULL,
	`end_at` integer NOT NULL,
	`interval_ms` integer NOT NULL,
	`peak` real NOT NULL,
	`feature` text NOT NULL,
	`type` text NOT NULL,
	FOREIGN KEY (`model`) REFERENCES `models`(`name`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
CREATE INDEX `deviations_by_model` ON `deviations` (`model`,`series`,`start_at`);--> statement-breakpoint
CREATE INDEX `deviations_by_start` ON `deviations` (`start_at`);