DROP INDEX `outbox_by_id`;--> statement-breakpoint
ALTER TABLE `outbox` ADD `resend` integer DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE `outbox` SET `resend` = true, `id` = substr(`id`, 1, length(`id`) - length('/again'))
WHERE substr(`id`, -length('/' || `hook` || '/again')) = '/' || `hook` || '/again';--> statement-breakpoint
CREATE UNIQUE INDEX `outbox_by_id` ON `outbox` (`id`,`resend`);