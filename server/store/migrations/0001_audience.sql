CREATE TABLE "blob_chunks" (
	"workspace_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"no" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "blob_chunks_workspace_id_sha256_no_pk" PRIMARY KEY("workspace_id","sha256","no")
);

CREATE TABLE "blobs" (
	"workspace_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"size_bytes" bigint NOT NULL,
	"content_type" text NOT NULL,
	"chunk_count" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "blobs_workspace_id_sha256_pk" PRIMARY KEY("workspace_id","sha256")
);

CREATE TABLE "campaign_audiences" (
	"workspace_id" uuid NOT NULL,
	"campaign_id" uuid NOT NULL,
	"side" text NOT NULL,
	"kind" text NOT NULL,
	"ref_id" bigint NOT NULL,
	CONSTRAINT "campaign_audiences_workspace_id_campaign_id_side_kind_ref_id_pk" PRIMARY KEY("workspace_id","campaign_id","side","kind","ref_id")
);

CREATE TABLE "bulk_action_changes" (
	"workspace_id" uuid NOT NULL,
	"action_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"before" jsonb NOT NULL,
	CONSTRAINT "bulk_action_changes_workspace_id_action_id_contact_id_pk" PRIMARY KEY("workspace_id","action_id","contact_id")
);

CREATE TABLE "bulk_actions" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "bulk_actions_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"filter" jsonb NOT NULL,
	"state" text NOT NULL,
	"done" integer DEFAULT 0 NOT NULL,
	"total" integer NOT NULL,
	"after_id" bigint DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "bulk_actions_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "consents" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "consents_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"contact_id" bigint,
	"import_id" bigint,
	"text" text NOT NULL,
	"created_by" uuid,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "consents_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "contact_fields" (
	"workspace_id" uuid NOT NULL,
	"no" smallint NOT NULL,
	"key" text NOT NULL,
	"label" text NOT NULL,
	"type" text NOT NULL,
	"choices" text[] DEFAULT '{}' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "contact_fields_workspace_id_no_pk" PRIMARY KEY("workspace_id","no")
);

CREATE TABLE "contact_touches" (
	"workspace_id" uuid NOT NULL,
	"contact_id" bigint NOT NULL,
	CONSTRAINT "contact_touches_workspace_id_contact_id_pk" PRIMARY KEY("workspace_id","contact_id")
);

CREATE TABLE "contacts" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "contacts_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"email" text NOT NULL,
	"email_key" text COLLATE "C" NOT NULL,
	"status" text DEFAULT 'active' NOT NULL,
	"fields" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"timezone" text,
	"locale" text,
	"tracking" text,
	"frequency" text,
	"paused_until" timestamp with time zone,
	"source" text NOT NULL,
	"import_id" bigint,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"last_sent_at" timestamp with time zone,
	"last_open_at" timestamp with time zone,
	"last_click_at" timestamp with time zone,
	"last_reply_at" timestamp with time zone,
	"sent_count" integer DEFAULT 0 NOT NULL,
	"old_address_hashes" "bytea"[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "contacts_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "erased_addresses" (
	"workspace_id" uuid NOT NULL,
	"address_hash" "bytea" NOT NULL,
	"reason" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "erased_addresses_workspace_id_address_hash_pk" PRIMARY KEY("workspace_id","address_hash")
);

CREATE TABLE "exports" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "exports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"filter" jsonb NOT NULL,
	"state" text NOT NULL,
	"row_count" integer,
	"requested_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "exports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "import_overwrites" (
	"workspace_id" uuid NOT NULL,
	"import_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"before" jsonb,
	CONSTRAINT "import_overwrites_workspace_id_import_id_contact_id_pk" PRIMARY KEY("workspace_id","import_id","contact_id")
);

CREATE TABLE "import_refusals" (
	"workspace_id" uuid NOT NULL,
	"import_id" bigint NOT NULL,
	"line" bigint NOT NULL,
	"reason" text NOT NULL,
	"cells" text[] NOT NULL,
	CONSTRAINT "import_refusals_workspace_id_import_id_line_pk" PRIMARY KEY("workspace_id","import_id","line")
);

CREATE TABLE "imports" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "imports_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"file_sha256" "bytea" NOT NULL,
	"file_name" text NOT NULL,
	"file_size_bytes" bigint NOT NULL,
	"encoding" text,
	"delimiter" text,
	"has_header" boolean,
	"mapping" jsonb,
	"list_id" bigint,
	"consent_id" bigint,
	"consent_text" text,
	"mode" text DEFAULT 'add_and_update' NOT NULL,
	"state" text NOT NULL,
	"checked_sha256" "bytea",
	"byte_offset" bigint DEFAULT 0 NOT NULL,
	"line" bigint DEFAULT 0 NOT NULL,
	"added" integer DEFAULT 0 NOT NULL,
	"updated" integer DEFAULT 0 NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"refused" integer DEFAULT 0 NOT NULL,
	"suppressed" integer DEFAULT 0 NOT NULL,
	"repeated" integer DEFAULT 0 NOT NULL,
	"empty" integer DEFAULT 0 NOT NULL,
	"kept" integer DEFAULT 0 NOT NULL,
	"lease_owner" text,
	"lease_until" timestamp with time zone,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"error" text,
	CONSTRAINT "imports_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "list_members" (
	"workspace_id" uuid NOT NULL,
	"list_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"state" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"consent_id" bigint,
	CONSTRAINT "list_members_workspace_id_list_id_contact_id_pk" PRIMARY KEY("workspace_id","list_id","contact_id")
);

CREATE TABLE "lists" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "lists_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"is_public" boolean DEFAULT false NOT NULL,
	"double_opt_in" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "lists_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

CREATE TABLE "segment_members" (
	"workspace_id" uuid NOT NULL,
	"segment_id" bigint NOT NULL,
	"contact_id" bigint NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "segment_members_workspace_id_segment_id_contact_id_pk" PRIMARY KEY("workspace_id","segment_id","contact_id")
);

CREATE TABLE "segments" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "segments_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"rule" jsonb NOT NULL,
	"rule_version" integer DEFAULT 1 NOT NULL,
	"is_live" boolean DEFAULT false NOT NULL,
	"evaluated_at" timestamp with time zone,
	"member_count" integer,
	"cost_ms" integer,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "segments_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);

ALTER TABLE "workspaces" ADD COLUMN "timezone" text DEFAULT 'UTC' NOT NULL;
ALTER TABLE "workspaces" ADD COLUMN "address_salt" "bytea" DEFAULT uuid_send(gen_random_uuid()) NOT NULL;
ALTER TABLE "campaign_recipients" ADD COLUMN "contact_id" bigint;
ALTER TABLE "campaign_recipients" ADD COLUMN "delivery_month" date;
ALTER TABLE "campaign_recipients" ADD COLUMN "delivery_id" bigint;
ALTER TABLE "campaigns" ADD COLUMN "fill_after" bigint;
ALTER TABLE "campaigns" ADD COLUMN "fill_counts" jsonb;
ALTER TABLE "campaigns" ADD COLUMN "frequency_exempt" boolean DEFAULT false NOT NULL;
ALTER TABLE "campaigns" ADD COLUMN "topic_list_id" bigint;
ALTER TABLE "deliveries" ADD COLUMN "contact_id" bigint;
ALTER TABLE "blob_chunks" ADD CONSTRAINT "blob_chunks_workspace_id_sha256_blobs_workspace_id_sha256_fk" FOREIGN KEY ("workspace_id","sha256") REFERENCES "public"."blobs"("workspace_id","sha256") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "campaign_audiences" ADD CONSTRAINT "campaign_audiences_workspace_id_campaign_id_campaigns_workspace_id_id_fk" FOREIGN KEY ("workspace_id","campaign_id") REFERENCES "public"."campaigns"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "bulk_action_changes" ADD CONSTRAINT "bulk_action_changes_workspace_id_action_id_bulk_actions_workspace_id_id_fk" FOREIGN KEY ("workspace_id","action_id") REFERENCES "public"."bulk_actions"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "consents" ADD CONSTRAINT "consents_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "consents" ADD CONSTRAINT "consents_workspace_id_contact_id_contacts_workspace_id_id_fk" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contact_fields" ADD CONSTRAINT "contact_fields_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contact_touches" ADD CONSTRAINT "contact_touches_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "erased_addresses" ADD CONSTRAINT "erased_addresses_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "exports" ADD CONSTRAINT "exports_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "import_overwrites" ADD CONSTRAINT "import_overwrites_workspace_id_import_id_imports_workspace_id_id_fk" FOREIGN KEY ("workspace_id","import_id") REFERENCES "public"."imports"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "import_refusals" ADD CONSTRAINT "import_refusals_workspace_id_import_id_imports_workspace_id_id_fk" FOREIGN KEY ("workspace_id","import_id") REFERENCES "public"."imports"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "imports" ADD CONSTRAINT "imports_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "list_members" ADD CONSTRAINT "list_members_workspace_id_list_id_lists_workspace_id_id_fk" FOREIGN KEY ("workspace_id","list_id") REFERENCES "public"."lists"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "list_members" ADD CONSTRAINT "list_members_workspace_id_contact_id_contacts_workspace_id_id_fk" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "lists" ADD CONSTRAINT "lists_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_workspace_id_segment_id_segments_workspace_id_id_fk" FOREIGN KEY ("workspace_id","segment_id") REFERENCES "public"."segments"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "segment_members" ADD CONSTRAINT "segment_members_workspace_id_contact_id_contacts_workspace_id_id_fk" FOREIGN KEY ("workspace_id","contact_id") REFERENCES "public"."contacts"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
ALTER TABLE "segments" ADD CONSTRAINT "segments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;
CREATE UNIQUE INDEX "bulk_actions_running" ON "bulk_actions" USING btree ("workspace_id") WHERE state in ('running', 'undoing');
CREATE INDEX "consents_contact" ON "consents" USING btree ("workspace_id","contact_id");
CREATE UNIQUE INDEX "consents_import" ON "consents" USING btree ("workspace_id","import_id") WHERE import_id is not null;
CREATE UNIQUE INDEX "contact_fields_key" ON "contact_fields" USING btree ("workspace_id","key") WHERE deleted_at is null;
CREATE UNIQUE INDEX "contacts_email" ON "contacts" USING btree ("workspace_id","email_key");
CREATE INDEX "contacts_active" ON "contacts" USING btree ("workspace_id","id" DESC NULLS LAST) WHERE status = 'active';
CREATE INDEX "contacts_domain" ON "contacts" USING btree ("workspace_id",split_part(email_key, '@', 2),"id");
CREATE INDEX "contacts_fields" ON "contacts" USING gin ("fields" jsonb_path_ops);
CREATE INDEX "contacts_first_name" ON "contacts" USING btree ("workspace_id",lower((fields ->> '1') collate "C"),"id");
CREATE INDEX "contacts_activity" ON "contacts" USING btree ("workspace_id",coalesce(greatest(last_reply_at, last_click_at, last_open_at, last_sent_at), '-infinity'),"id");
CREATE INDEX "contacts_last_name" ON "contacts" USING btree ("workspace_id",lower((fields ->> '2') collate "C"),"id");
CREATE INDEX "imports_list" ON "imports" USING btree ("workspace_id","created_at" DESC NULLS LAST);
CREATE INDEX "list_members_contact" ON "list_members" USING btree ("workspace_id","contact_id");
CREATE UNIQUE INDEX "lists_name" ON "lists" USING btree ("workspace_id",lower(name)) WHERE deleted_at is null;
CREATE INDEX "segment_members_contact" ON "segment_members" USING btree ("workspace_id","contact_id");
CREATE UNIQUE INDEX "segments_name" ON "segments" USING btree ("workspace_id",lower(name)) WHERE deleted_at is null;
CREATE INDEX "campaign_recipients_contact" ON "campaign_recipients" USING btree ("workspace_id","campaign_id","contact_id");

-- Written by hand from here on: what the schema's language cannot express. The collation of `contacts.email_key`, too.

ALTER TABLE "contacts" ADD CONSTRAINT "contacts_status" CHECK (status in ('active', 'unsubscribed', 'bounced', 'complained', 'manual'));
ALTER TABLE "contact_fields" ADD CONSTRAINT "contact_fields_type" CHECK (type in ('text', 'number', 'date', 'boolean', 'choice'));
ALTER TABLE "contact_fields" ADD CONSTRAINT "contact_fields_no" CHECK (no > 0);
ALTER TABLE "list_members" ADD CONSTRAINT "list_members_state" CHECK (state in ('subscribed', 'pending', 'unsubscribed'));
ALTER TABLE "consents" ADD CONSTRAINT "consents_kind" CHECK (kind in ('form', 'import', 'api', 'manual', 'preferences'));
ALTER TABLE "bulk_actions" ADD CONSTRAINT "bulk_actions_state" CHECK (state in ('running', 'done', 'undoing', 'undone', 'failed'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_state" CHECK (state in ('uploading', 'mapping', 'checking', 'checked', 'running', 'done', 'cancelled', 'failed', 'undoing', 'undone'));
ALTER TABLE "imports" ADD CONSTRAINT "imports_mode" CHECK (mode in ('add', 'add_and_update'));
ALTER TABLE "exports" ADD CONSTRAINT "exports_state" CHECK (state in ('running', 'done', 'failed'));
ALTER TABLE "campaign_audiences" ADD CONSTRAINT "campaign_audiences_side" CHECK (side in ('include', 'exclude') and kind in ('list', 'segment'));
ALTER TABLE "campaigns" DROP CONSTRAINT "campaigns_status";
ALTER TABLE "campaigns" ADD CONSTRAINT "campaigns_status" CHECK (status in ('draft', 'scheduled', 'preparing', 'sending', 'paused', 'finished', 'cancelled', 'failed'));

-- Updates of a contact stay on its page, beside the old version.
ALTER TABLE "contacts" SET (fillfactor = 85);

-- Each workspace begins with two fields. A trigger, so that it holds for every statement that creates a workspace.
CREATE FUNCTION "workspaces_make_fields"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	INSERT INTO contact_fields (workspace_id, no, key, label, type, created_at) VALUES
		(NEW.id, 1, 'first_name', 'First name', 'text', NEW.created_at),
		(NEW.id, 2, 'last_name', 'Last name', 'text', NEW.created_at);
	RETURN NULL;
END
$$;
CREATE TRIGGER "workspaces_make_fields" AFTER INSERT ON "workspaces" FOR EACH ROW EXECUTE FUNCTION "workspaces_make_fields"();

-- The bytes of files are compressed already or read once: no attempt at compression.
ALTER TABLE "blob_chunks" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
