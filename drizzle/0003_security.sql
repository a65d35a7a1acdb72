CREATE TABLE `tokens` (
	`name` text PRIMARY KEY NOT NULL,
	`id` text NOT NULL,
	`scope` text NOT NULL,
	`digest` text NOT NULL,
	`created_at` integer NOT NULL,
	`last_used_at` integer,
	`expires_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tokens_by_digest` ON `tokens` (`digest`);--> statement-breakpoint
ALTER TABLE `scheduled_jobs` ADD `creator` text;