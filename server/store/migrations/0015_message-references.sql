ALTER TABLE "messages" DROP CONSTRAINT "messages_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_config_id_email_configs_id_fk";
