DROP TABLE `recordings`;--> statement-breakpoint
DROP TABLE `tool_runs`;