CREATE TABLE "templates" (
	"id" uuid PRIMARY KEY NOT NULL,
	"workspace_id" uuid NOT NULL,
	"key" text NOT NULL,
	"subject" text NOT NULL,
	"body" text NOT NULL,
	"tags" text[] NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"deleted_at" timestamp with time zone
);
--> statement-breakpoint
ALTER TABLE "templates" ADD CONSTRAINT "templates_workspace_id_workspaces_id_fk" FOREIGN KEY ("workspace_id") REFERENCES "public"."workspaces"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "templates_key" ON "templates" USING btree ("workspace_id","key");--> statement-breakpoint
CREATE INDEX "templates_list" ON "templates" USING btree ("workspace_id","created_at","id") WHERE deleted_at is null;--> statement-breakpoint
CREATE INDEX "templates_deleted" ON "templates" USING btree ("deleted_at") WHERE deleted_at is not null;