ALTER TABLE `hooks` ADD `receiver` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `receiver` text;