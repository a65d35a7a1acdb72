ALTER TABLE `global_hooks` ADD `options` text DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE `hooks` ADD `options` text DEFAULT '{}' NOT NULL;