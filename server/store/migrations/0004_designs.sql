CREATE TABLE "saved_blocks" (
	"workspace_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "saved_blocks_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"block" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "saved_blocks_workspace_id_id_pk" PRIMARY KEY("workspace_id","id")
);
--> statement-breakpoint
CREATE TABLE "template_versions" (
	"workspace_id" uuid NOT NULL,
	"template_id" uuid NOT NULL,
	"revision" bigint NOT NULL,
	"name" text NOT NULL,
	"subject" text NOT NULL,
	"preheader" text NOT NULL,
	"mode" text NOT NULL,
	"design" jsonb,
	"body" text NOT NULL,
	"tags" text[] NOT NULL,
	"created_by" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "template_versions_workspace_id_template_id_revision_pk" PRIMARY KEY("workspace_id","template_id","revision")
);
--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "mode" text DEFAULT 'html' NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "design" jsonb;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "preheader" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "templates" ADD COLUMN "revision" bigint DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "saved_blocks" ADD CONSTRAINT "saved_blocks_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "template_versions" ADD CONSTRAINT "template_versions_template" FOREIGN KEY ("workspace_id","template_id") REFERENCES "public"."templates"("workspace_id","id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
INSERT INTO "template_versions" ("workspace_id", "template_id", "revision", "name", "subject", "preheader", "mode", "body", "tags", "created_at")
SELECT "workspace_id", "id", "revision", "name", "subject", "preheader", "mode", "body", "tags", "updated_at" FROM "templates";
