CREATE TABLE "address_health" (
	"workspace_id" uuid NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"soft_bounces" integer NOT NULL,
	"first_bounce_at" timestamp with time zone NOT NULL,
	"last_bounce_at" timestamp with time zone NOT NULL,
	"last_reason" text NOT NULL,
	CONSTRAINT "address_health_workspace_id_address_hash_pk" PRIMARY KEY("workspace_id","address_hash")
);
--> statement-breakpoint
CREATE TABLE "inbox_mails" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "inbox_mails_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"config_id" uuid NOT NULL,
	"folder" text NOT NULL,
	"uidvalidity" bigint NOT NULL,
	"uid" bigint NOT NULL,
	"mail_id_hash" "bytea" NOT NULL,
	"kind" text NOT NULL,
	"delivery_month" date,
	"delivery_id" bigint,
	"contact_id" bigint,
	"match" text NOT NULL,
	"from_address" text NOT NULL,
	"subject" text NOT NULL,
	"excerpt" text NOT NULL,
	"detail" jsonb NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"read_at" timestamp with time zone,
	"archived_at" timestamp with time zone,
	"answer_message_id" uuid,
	CONSTRAINT "inbox_mails_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "mailbox_folders" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"folder" text NOT NULL,
	"role" text NOT NULL,
	"uidvalidity" bigint NOT NULL,
	"last_uid" bigint NOT NULL,
	"modseq" bigint,
	"checked_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "mailbox_folders_workspace_id_config_id_folder_pk" PRIMARY KEY("workspace_id","config_id","folder")
);
--> statement-breakpoint
CREATE TABLE "mailbox_readers" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"lease_owner" uuid,
	"lease_token" uuid,
	"lease_until" timestamp with time zone,
	"next_poll_at" timestamp with time zone DEFAULT now() NOT NULL,
	"check_requested_at" timestamp with time zone,
	"attempts" integer DEFAULT 0 NOT NULL,
	"last_seen_at" timestamp with time zone,
	CONSTRAINT "mailbox_readers_workspace_id_config_id_pk" PRIMARY KEY("workspace_id","config_id")
);
--> statement-breakpoint
CREATE TABLE "provider_message_ids" (
	"workspace_id" uuid NOT NULL,
	"id_hash" "bytea" NOT NULL,
	"delivery_month" date NOT NULL,
	"delivery_id" bigint NOT NULL,
	CONSTRAINT "provider_message_ids_workspace_id_id_hash_pk" PRIMARY KEY("workspace_id","id_hash")
);
--> statement-breakpoint
CREATE TABLE "reading_counts" (
	"workspace_id" uuid NOT NULL,
	"config_id" uuid NOT NULL,
	"day" date NOT NULL,
	"seen" integer DEFAULT 0 NOT NULL,
	"matched" integer DEFAULT 0 NOT NULL,
	"bounces" integer DEFAULT 0 NOT NULL,
	"replies" integer DEFAULT 0 NOT NULL,
	"auto_replies" integer DEFAULT 0 NOT NULL,
	"complaints" integer DEFAULT 0 NOT NULL,
	"unmatched_bounces" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "reading_counts_workspace_id_config_id_day_pk" PRIMARY KEY("workspace_id","config_id","day")
);
--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "is_reading" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "imap_host" text;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "imap_port" integer;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "imap_security" text;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "reading_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "reading_state" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "email_configs" ADD COLUMN "reading_error" text;--> statement-breakpoint
ALTER TABLE "address_health" ADD CONSTRAINT "address_health_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "inbox_mails" ADD CONSTRAINT "inbox_mails_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_folders" ADD CONSTRAINT "mailbox_folders_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "mailbox_readers" ADD CONSTRAINT "mailbox_readers_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "provider_message_ids" ADD CONSTRAINT "provider_message_ids_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "inbox_mails_mail" ON "inbox_mails" USING btree ("workspace_id","config_id","mail_id_hash");--> statement-breakpoint
CREATE INDEX "inbox_mails_contact" ON "inbox_mails" USING btree ("workspace_id","contact_id","received_at");--> statement-breakpoint
CREATE INDEX "inbox_mails_delivery" ON "inbox_mails" USING btree ("workspace_id","delivery_id");--> statement-breakpoint
CREATE INDEX "inbox_mails_mailbox" ON "inbox_mails" USING btree ("workspace_id","config_id","id" DESC NULLS LAST);--> statement-breakpoint
CREATE INDEX "mailbox_readers_due" ON "mailbox_readers" USING btree ("next_poll_at");