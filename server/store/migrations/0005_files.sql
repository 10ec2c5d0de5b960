CREATE TABLE "attachments" (
	"workspace_id" uuid NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" text NOT NULL,
	"position" smallint NOT NULL,
	"sha256" "bytea" NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"inline_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "attachments_workspace_id_owner_kind_owner_id_position_pk" PRIMARY KEY("workspace_id","owner_kind","owner_id","position")
);
--> statement-breakpoint
CREATE TABLE "uploads" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"filename" text NOT NULL,
	"content_type" text NOT NULL,
	"size_bytes" bigint NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	CONSTRAINT "uploads_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "deliverability_checks" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"owner_kind" text NOT NULL,
	"owner_id" text NOT NULL,
	"content_hash" "bytea" NOT NULL,
	"config_id" uuid,
	"state" text NOT NULL,
	"findings" jsonb NOT NULL,
	"score" smallint,
	"started_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	CONSTRAINT "deliverability_checks_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "image_renditions" (
	"workspace_id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"width" integer NOT NULL,
	"format" text NOT NULL,
	"rendition_sha256" "bytea" NOT NULL,
	CONSTRAINT "image_renditions_workspace_id_sha256_width_format_pk" PRIMARY KEY("workspace_id","sha256","width","format")
);
--> statement-breakpoint
CREATE TABLE "images" (
	"workspace_id" uuid NOT NULL,
	"id" uuid NOT NULL,
	"sha256" "bytea" NOT NULL,
	"name" text NOT NULL,
	"alt" text DEFAULT '' NOT NULL,
	"width" integer NOT NULL,
	"height" integer NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone NOT NULL,
	"deleted_at" timestamp with time zone,
	CONSTRAINT "images_workspace_id_id_pk" PRIMARY KEY("workspace_id","id"),
	CONSTRAINT "images_file" UNIQUE("workspace_id","sha256")
);
--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_blob" FOREIGN KEY ("workspace_id","sha256") REFERENCES "public"."blobs"("workspace_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "uploads" ADD CONSTRAINT "uploads_blob" FOREIGN KEY ("workspace_id","sha256") REFERENCES "public"."blobs"("workspace_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliverability_checks" ADD CONSTRAINT "deliverability_checks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_renditions" ADD CONSTRAINT "image_renditions_image" FOREIGN KEY ("workspace_id","sha256") REFERENCES "public"."images"("workspace_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "image_renditions" ADD CONSTRAINT "image_renditions_blob" FOREIGN KEY ("workspace_id","rendition_sha256") REFERENCES "public"."blobs"("workspace_id","sha256") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "images" ADD CONSTRAINT "images_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "attachments_blob_index" ON "attachments" USING btree ("workspace_id","sha256");--> statement-breakpoint
CREATE INDEX "uploads_blob_index" ON "uploads" USING btree ("workspace_id","sha256");--> statement-breakpoint
CREATE INDEX "uploads_expiry" ON "uploads" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "deliverability_checks_age" ON "deliverability_checks" USING btree ("started_at");--> statement-breakpoint
CREATE INDEX "image_renditions_blob_index" ON "image_renditions" USING btree ("workspace_id","rendition_sha256");--> statement-breakpoint
CREATE INDEX "images_list" ON "images" USING btree ("workspace_id","created_at","id") WHERE deleted_at is null;