CREATE TABLE `recorded_changes` (
	`id` text PRIMARY KEY NOT NULL,
	`at` integer NOT NULL,
	`end_at` integer,
	`kind` text NOT NULL,
	`title` text NOT NULL,
	`url` text,
	`created_at` integer NOT NULL,
	`tags` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `recorded_changes_by_time` ON `recorded_changes` (`at`);