CREATE TABLE "digest_leases" (
	"workspace_id" uuid PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"token" uuid NOT NULL,
	"lease_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "event_inbox" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_inbox_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"at" timestamp with time zone NOT NULL,
	"kind" smallint NOT NULL,
	"message_id" uuid,
	"delivery_month" date,
	"delivery_id" bigint,
	"delivery_ids" bigint[],
	"contact_id" bigint,
	"link_no" smallint,
	"agent_hash" "bytea",
	"net_hash" "bytea",
	"net_label" smallint,
	"flags" smallint DEFAULT 0 NOT NULL,
	"detail" jsonb,
	"parked_error" text,
	CONSTRAINT "event_inbox_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "event_journals" (
	"writer" text PRIMARY KEY NOT NULL,
	"segment" bigint NOT NULL,
	"byte_offset" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"workspace_id" uuid NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"seq" bigint NOT NULL,
	"delivery_id" bigint,
	"contact_id" bigint,
	"source_id" uuid,
	"delivery_month" date,
	"kind" smallint NOT NULL,
	"verdict" smallint,
	"agent_id" integer,
	"link_no" smallint,
	"net_label" smallint,
	"detail" jsonb,
	CONSTRAINT "events_workspace_id_at_seq_pk" PRIMARY KEY("workspace_id","at","seq")
) PARTITION BY RANGE ("at");
--> statement-breakpoint
CREATE TABLE "recent_hits" (
	"workspace_id" uuid NOT NULL,
	"delivery_id" bigint NOT NULL,
	"seq" bigint NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"link_no" smallint,
	"agent_id" integer,
	"net_hash" "bytea",
	"net_label" smallint,
	CONSTRAINT "recent_hits_workspace_id_delivery_id_seq_pk" PRIMARY KEY("workspace_id","delivery_id","seq")
);
--> statement-breakpoint
CREATE TABLE "user_agents" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "user_agents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"text" text NOT NULL,
	"family" text,
	"os" text,
	"verdict" smallint,
	CONSTRAINT "user_agents_id_unique" UNIQUE("id")
);
--> statement-breakpoint
CREATE TABLE "address_deliveries" (
	"workspace_id" uuid NOT NULL,
	"month" date NOT NULL,
	"delivery_id" bigint NOT NULL,
	"accepted_at" timestamp with time zone NOT NULL,
	"config_id" uuid NOT NULL,
	"address_hash" "bytea" NOT NULL,
	CONSTRAINT "address_deliveries_workspace_id_address_hash_month_delivery_id_pk" PRIMARY KEY("workspace_id","address_hash","month","delivery_id")
) PARTITION BY RANGE ("month");
--> statement-breakpoint
CREATE TABLE "breakdown_counts" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"dimension" text NOT NULL,
	"value" text NOT NULL,
	"kind" smallint NOT NULL,
	"people" bigint NOT NULL,
	CONSTRAINT "breakdown_counts_workspace_id_source_id_dimension_value_kind_pk" PRIMARY KEY("workspace_id","source_id","dimension","value","kind")
);
--> statement-breakpoint
CREATE TABLE "engagements" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"delivery_id" bigint NOT NULL,
	"contact_id" bigint,
	"delivery_month" date NOT NULL,
	"variant_no" smallint DEFAULT 0 NOT NULL,
	"open_verdict" smallint,
	"click_verdict" smallint,
	"opens" integer DEFAULT 0 NOT NULL,
	"clicks" integer DEFAULT 0 NOT NULL,
	"first_open_at" timestamp with time zone,
	"first_machine_open_at" timestamp with time zone,
	"first_click_at" timestamp with time zone,
	"first_machine_click_at" timestamp with time zone,
	"replied_at" timestamp with time zone,
	"auto_replied_at" timestamp with time zone,
	"bounced_at" timestamp with time zone,
	"complained_at" timestamp with time zone,
	"unsubscribed_at" timestamp with time zone,
	"bounce_reason" text,
	CONSTRAINT "engagements_workspace_id_source_id_delivery_id_pk" PRIMARY KEY("workspace_id","source_id","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "event_counts" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"variant_no" smallint DEFAULT 0 NOT NULL,
	"quarter_at" timestamp with time zone NOT NULL,
	"kind" smallint NOT NULL,
	"verdict" smallint NOT NULL,
	"n" bigint NOT NULL,
	"people" bigint NOT NULL,
	CONSTRAINT "event_counts_workspace_id_source_id_variant_no_quarter_at_kind_verdict_pk" PRIMARY KEY("workspace_id","source_id","variant_no","quarter_at","kind","verdict")
);
--> statement-breakpoint
CREATE TABLE "link_clicks" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"delivery_id" bigint NOT NULL,
	"contact_id" bigint,
	"link_no" smallint NOT NULL,
	"verdict" smallint NOT NULL,
	"clicks" integer NOT NULL,
	"first_at" timestamp with time zone,
	"first_machine_at" timestamp with time zone,
	CONSTRAINT "link_clicks_workspace_id_source_id_link_no_delivery_id_pk" PRIMARY KEY("workspace_id","source_id","link_no","delivery_id")
);
--> statement-breakpoint
CREATE TABLE "link_counts" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"link_no" smallint NOT NULL,
	"verdict" smallint NOT NULL,
	"clicks" bigint NOT NULL,
	"people" bigint NOT NULL,
	CONSTRAINT "link_counts_workspace_id_source_id_link_no_verdict_pk" PRIMARY KEY("workspace_id","source_id","link_no","verdict")
);
--> statement-breakpoint
CREATE TABLE "source_counts" (
	"workspace_id" uuid NOT NULL,
	"source_id" uuid NOT NULL,
	"variant_no" smallint DEFAULT 0 NOT NULL,
	"kind" smallint NOT NULL,
	"verdict" smallint NOT NULL,
	"n" bigint NOT NULL,
	"people" bigint NOT NULL,
	CONSTRAINT "source_counts_workspace_id_source_id_variant_no_kind_verdict_pk" PRIMARY KEY("workspace_id","source_id","variant_no","kind","verdict")
);
--> statement-breakpoint
CREATE TABLE "frequency_use" (
	"workspace_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	"week" date NOT NULL,
	"count" smallint NOT NULL,
	CONSTRAINT "frequency_use_workspace_id_contact_id_week_pk" PRIMARY KEY("workspace_id","contact_id","week")
);
--> statement-breakpoint
CREATE TABLE "tracked_links" (
	"workspace_id" uuid NOT NULL,
	"message_id" uuid NOT NULL,
	"no" smallint NOT NULL,
	"url" text NOT NULL,
	"label" text,
	CONSTRAINT "tracked_links_workspace_id_message_id_no_pk" PRIMARY KEY("workspace_id","message_id","no")
);
--> statement-breakpoint
CREATE TABLE "tracking_domains" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"host" text NOT NULL,
	"state" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"checked_at" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"error" text,
	CONSTRAINT "tracking_domains_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "verified_domains" (
	"domain" text PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"token" text NOT NULL,
	"verified_at" timestamp with time zone,
	"checked_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "tracking" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "api_tracking" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "workspaces" ADD COLUMN "events_keep_months" smallint DEFAULT 13 NOT NULL;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "tracking" text;--> statement-breakpoint
ALTER TABLE "campaigns" ADD COLUMN "utm" jsonb;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "origin" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "tracking" text DEFAULT 'off' NOT NULL;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "link_base" text;--> statement-breakpoint
ALTER TABLE "messages" ADD COLUMN "link_key_id" text;--> statement-breakpoint
ALTER TABLE "frequency_use" ADD CONSTRAINT "frequency_use_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "frequency_use" ADD CONSTRAINT "frequency_use_workspace_id_contact_id_contacts_workspace_id_id_fk" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracked_links" ADD CONSTRAINT "tracked_links_workspace_id_message_id_messages_workspace_id_id_fk" FOREIGN KEY ("workspace_id","message_id") REFERENCES "public"."messages"("workspace_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tracking_domains" ADD CONSTRAINT "tracking_domains_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "verified_domains" ADD CONSTRAINT "verified_domains_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_contact" ON "events" USING btree ("workspace_id","contact_id","at") WHERE contact_id is not null;--> statement-breakpoint
CREATE INDEX "events_delivery" ON "events" USING btree ("workspace_id","delivery_id") WHERE contact_id is null;--> statement-breakpoint
CREATE INDEX "events_refusals" ON "events" USING btree ("workspace_id","at") WHERE kind = 15;--> statement-breakpoint
CREATE INDEX "events_at" ON "events" USING brin ("at");--> statement-breakpoint
CREATE INDEX "recent_hits_at" ON "recent_hits" USING btree ("workspace_id","at");--> statement-breakpoint
CREATE INDEX "engagements_contact" ON "engagements" USING btree ("workspace_id","contact_id");--> statement-breakpoint
CREATE INDEX "engagements_answered" ON "engagements" USING btree ("workspace_id","source_id","delivery_id") WHERE replied_at is not null or bounced_at is not null or complained_at is not null or unsubscribed_at is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "tracking_domains_host" ON "tracking_domains" USING btree ("workspace_id","host");--> statement-breakpoint
CREATE INDEX "tracking_domains_due" ON "tracking_domains" USING btree ("checked_at");--> statement-breakpoint
CREATE INDEX "messages_single" ON "messages" USING btree ("workspace_id","created_at" DESC NULLS FIRST,"id") WHERE campaign_id is null and origin <> 'sequence';--> statement-breakpoint
-- Rows of a queue change within seconds: vacuum after 1 % of them, at full speed, as the months of deliveries.
ALTER TABLE "event_inbox" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);--> statement-breakpoint
ALTER TABLE "recent_hits" SET (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_insert_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);--> statement-breakpoint
-- Counts are changed by every digest: room for new versions of a row on its page.
ALTER TABLE "engagements" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "link_clicks" SET (fillfactor = 85);--> statement-breakpoint
ALTER TABLE "source_counts" SET (fillfactor = 50);--> statement-breakpoint
ALTER TABLE "event_counts" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "breakdown_counts" SET (fillfactor = 70);--> statement-breakpoint
ALTER TABLE "link_counts" SET (fillfactor = 50);--> statement-breakpoint
UPDATE "messages" SET "origin" = CASE WHEN "is_test" THEN 'test' ELSE 'campaign' END WHERE "is_test" OR "campaign_id" IS NOT NULL;
