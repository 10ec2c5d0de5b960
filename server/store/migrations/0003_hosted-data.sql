CREATE TABLE "hosted_attempts" (
	"key" "bytea" PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"started_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hosted_changes" (
	"collection" text NOT NULL,
	"id" bigint NOT NULL,
	"kind" text NOT NULL,
	"document_id" text NOT NULL,
	"data" jsonb,
	"octets" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_changes_collection_id_pk" PRIMARY KEY("collection","id")
);
--> statement-breakpoint
CREATE TABLE "hosted_collections" (
	"name" text PRIMARY KEY NOT NULL,
	"document_count" bigint NOT NULL,
	"octets" bigint NOT NULL,
	"last_change" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hosted_documents" (
	"collection" text NOT NULL,
	"id" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "hosted_documents_collection_id_pk" PRIMARY KEY("collection","id")
);
--> statement-breakpoint
CREATE TABLE "hosted_keys" (
	"id" uuid PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"key_hash" "bytea" NOT NULL,
	"collections" text[],
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "hosted_keys_kind" CHECK (kind in ('read', 'write'))
);
--> statement-breakpoint
CREATE TABLE "hosted_seeds" (
	"collection" text NOT NULL,
	"id" text NOT NULL,
	"version" text NOT NULL,
	"data_hash" "bytea" NOT NULL,
	CONSTRAINT "hosted_seeds_collection_id_pk" PRIMARY KEY("collection","id")
);
--> statement-breakpoint
CREATE TABLE "hosted_tokens" (
	"token_hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "hosted_users" (
	"id" uuid PRIMARY KEY NOT NULL,
	"email" text NOT NULL,
	"password_hash" text NOT NULL,
	"data" jsonb NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "hosted_tokens" ADD CONSTRAINT "hosted_tokens_user_id_hosted_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."hosted_users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "hosted_changes_at" ON "hosted_changes" USING btree ("at");--> statement-breakpoint
CREATE INDEX "hosted_documents_order" ON "hosted_documents" USING btree ("collection","created_at","id");--> statement-breakpoint
CREATE INDEX "hosted_documents_data" ON "hosted_documents" USING gin ("data" jsonb_path_ops) WITH (fastupdate=false);--> statement-breakpoint
CREATE UNIQUE INDEX "hosted_keys_hash" ON "hosted_keys" USING btree ("key_hash");--> statement-breakpoint
CREATE INDEX "hosted_tokens_user" ON "hosted_tokens" USING btree ("user_id");--> statement-breakpoint
CREATE UNIQUE INDEX "hosted_users_email" ON "hosted_users" USING btree ("email");--> statement-breakpoint
-- By hand from here on.
-- The counters are one row a collection, changed with every document: room for their next versions beside them.
ALTER TABLE "hosted_collections" SET (fillfactor = 50);--> statement-breakpoint
-- Whether a filter is rare decides how its page is found. With the usual hundred samples, one that happens to match makes
-- it look ten times as frequent as it is.
ALTER TABLE "hosted_documents" ALTER COLUMN "data" SET STATISTICS 500;--> statement-breakpoint
-- Every change of a document, whoever makes it, is counted, kept and announced in its own transaction. The counter's row
-- is locked until that transaction ends: the next change of the collection gets its number after this one is visible, so
-- numbers are in the order of the commits, without a gap, and whoever has read up to one has missed none below it.
-- Once a statement, not once a row: a row that one transaction changes n times costs n squared.
CREATE FUNCTION "hosted_note_changes"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	touched_collection text;
	touched_count bigint;
	octets_delta bigint;
	last bigint;
BEGIN
	-- Nested, for a condition is planned as a whole, and only an update has its rows as they were before.
	IF TG_OP = 'UPDATE' THEN
		IF EXISTS (SELECT FROM touched LEFT JOIN before USING (collection, id) WHERE before.id IS NULL) THEN
			RAISE EXCEPTION 'A hosted document keeps its collection and its id.' USING ERRCODE = 'feature_not_supported';
		END IF;
	END IF;
	FOR touched_collection, touched_count, octets_delta IN
		SELECT collection, count(*), sum(octet_length(data::text)) FROM touched GROUP BY collection ORDER BY collection
	LOOP
		IF TG_OP = 'DELETE' THEN octets_delta := -octets_delta; END IF;
		IF TG_OP = 'UPDATE' THEN
			octets_delta := octets_delta
				- (SELECT sum(octet_length(data::text)) FROM before WHERE collection = touched_collection);
		END IF;
		INSERT INTO hosted_collections AS c (name, document_count, octets, last_change)
			VALUES (
				touched_collection,
				CASE TG_OP WHEN 'INSERT' THEN touched_count WHEN 'DELETE' THEN -touched_count ELSE 0 END,
				octets_delta,
				touched_count
			)
			ON CONFLICT (name) DO UPDATE SET
				document_count = c.document_count + excluded.document_count,
				octets = c.octets + excluded.octets,
				last_change = c.last_change + excluded.last_change
			RETURNING last_change INTO last;
		INSERT INTO hosted_changes (collection, id, kind, document_id, data, octets, created_at, updated_at)
			SELECT
				collection,
				last - touched_count + row_number() OVER (ORDER BY created_at, id),
				CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'updated' ELSE 'deleted' END,
				id,
				CASE WHEN TG_OP <> 'DELETE' THEN data END,
				CASE WHEN TG_OP <> 'DELETE' THEN octet_length(data::text) ELSE 0 END,
				created_at,
				updated_at
			FROM touched WHERE collection = touched_collection;
		PERFORM pg_notify('sendwright_hosted', touched_collection);
	END LOOP;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "hosted_documents_created" AFTER INSERT ON "hosted_documents"
	REFERENCING NEW TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();--> statement-breakpoint
CREATE TRIGGER "hosted_documents_updated" AFTER UPDATE ON "hosted_documents"
	REFERENCING NEW TABLE AS touched OLD TABLE AS before
	FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();--> statement-breakpoint
CREATE TRIGGER "hosted_documents_deleted" AFTER DELETE ON "hosted_documents"
	REFERENCING OLD TABLE AS touched FOR EACH STATEMENT EXECUTE FUNCTION "hosted_note_changes"();
