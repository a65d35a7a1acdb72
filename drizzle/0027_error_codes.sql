ALTER TABLE `outbox` ADD `last_error_code` text;--> statement-breakpoint
ALTER TABLE `scheduled_jobs` ADD `last_error_code` text;