ALTER TABLE `outbox` ADD `group_key` text;--> statement-breakpoint
ALTER TABLE `outbox` ADD `batch` text;--> statement-breakpoint
CREATE INDEX `outbox_by_group` ON `outbox` (`hook`,`group_key`,`state`,`seq`);