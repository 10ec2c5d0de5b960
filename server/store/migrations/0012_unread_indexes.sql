DROP INDEX "campaign_recipients_contact";--> statement-breakpoint
DROP INDEX "contacts_active";