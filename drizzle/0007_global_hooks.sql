CREATE TABLE `global_hooks` (
	`name` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`receiver` text NOT NULL,
	`created_at` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`selector` text NOT NULL,
	`config` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `outbox` ADD `is_global` integer DEFAULT false NOT NULL;