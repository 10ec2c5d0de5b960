ALTER TABLE "campaigns" ADD COLUMN "mode" text DEFAULT 'html' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "design" jsonb;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "preheader" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "from_name" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "reply_to" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "kind" text DEFAULT 'bulk' NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "undo_until" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "from_name" text;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "reply_to" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "kind" text DEFAULT 'transactional' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "from_name" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "reply_to" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "cc" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "bcc" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "preheader" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "design" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "text_part" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "scheduled_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "timezone" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "undo_until" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "messages_scheduled" ON "messages" USING btree ("workspace_id","scheduled_at","id") WHERE scheduled_at is not null;