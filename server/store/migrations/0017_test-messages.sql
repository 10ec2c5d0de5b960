ALTER TABLE "messages" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "messages_tests" ON "messages" USING btree ("workspace_id","created_at") WHERE is_test;