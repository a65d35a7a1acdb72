CREATE TABLE `job_results` (
	`job` integer NOT NULL,
	`part` integer NOT NULL,
	`text` text NOT NULL,
	PRIMARY KEY(`job`, `part`),
	FOREIGN KEY (`job`) REFERENCES `jobs`(`seq`) ON UPDATE no action ON DELETE cascade
);
--> statement-breakpoint
ALTER TABLE `jobs` ADD `foreground` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `jobs` ADD `result_bytes` integer;--> statement-breakpoint
UPDATE `jobs` SET `result_bytes` = length(CAST(`result` AS BLOB)) WHERE `result` IS NOT NULL;--> statement-breakpoint
INSERT INTO `job_results` (`job`, `part`, `text`) SELECT `seq`, 0, `result` FROM `jobs` WHERE `result_bytes` > 65536;--> statement-breakpoint
UPDATE `jobs` SET `result` = NULL WHERE `result_bytes` > 65536;--> statement-breakpoint
CREATE INDEX `jobs_by_kept_result` ON `jobs` (`ended_at`,`seq`,`result_bytes`) WHERE result_bytes > 0;