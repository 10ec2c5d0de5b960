ALTER TABLE "campaign_recipients" DROP CONSTRAINT "campaign_recipients_workspace_id_campaign_id_campaigns_workspace_id_id_fk";
--> statement-breakpoint
ALTER TABLE "contact_touches" DROP CONSTRAINT "contact_touches_workspace_id_workspaces_id_fk";
--> statement-breakpoint
ALTER TABLE "contacts" DROP CONSTRAINT "contacts_workspace_id_workspaces_id_fk";
--> statement-breakpoint
DROP INDEX "contacts_fields";