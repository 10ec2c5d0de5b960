CREATE TABLE "delivery_count_changes" (
	"workspace_id" uuid NOT NULL,
	"quarter_at" timestamp with time zone NOT NULL,
	"sent" integer NOT NULL,
	"failed" integer NOT NULL,
	"waiting" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "delivery_counts" (
	"workspace_id" uuid NOT NULL,
	"quarter_at" timestamp with time zone NOT NULL,
	"sent" integer NOT NULL,
	"failed" integer NOT NULL,
	"waiting" integer NOT NULL,
	CONSTRAINT "delivery_counts_workspace_id_quarter_at_pk" PRIMARY KEY("workspace_id","quarter_at")
);
--> statement-breakpoint

-- Written by hand: what the schema's language cannot say.

-- Whoever changes deliveries, by whatever statement, changes the counts in the same transaction. A statement writes rows of
-- its own, so that nobody waits for anybody; taking what stood before from what stands now needs no look at which row is
-- which. A claim changes no count and writes none.
CREATE FUNCTION "delivery_note_counts"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	IF TG_OP = 'UPDATE' THEN
		INSERT INTO delivery_count_changes (workspace_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, date_bin('15 minutes', at, 'epoch'), sum(sent), sum(failed), sum(waiting)
			FROM (
				SELECT workspace_id, coalesce(settled_at, created_at) AS at, (state = 'sent')::int AS sent,
					(state = 'failed')::int AS failed, (state IN ('queued', 'sending', 'deferred'))::int AS waiting
				FROM after
				UNION ALL
				SELECT workspace_id, coalesce(settled_at, created_at), -(state = 'sent')::int,
					-(state = 'failed')::int, -(state IN ('queued', 'sending', 'deferred'))::int
				FROM before
			) AS row
			GROUP BY 1, 2 HAVING sum(sent) <> 0 OR sum(failed) <> 0 OR sum(waiting) <> 0;
	ELSIF TG_OP = 'INSERT' THEN
		INSERT INTO delivery_count_changes (workspace_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, date_bin('15 minutes', coalesce(settled_at, created_at), 'epoch'),
				count(*) FILTER (WHERE state = 'sent'), count(*) FILTER (WHERE state = 'failed'),
				count(*) FILTER (WHERE state IN ('queued', 'sending', 'deferred'))
			FROM after GROUP BY 1, 2;
	ELSE
		INSERT INTO delivery_count_changes (workspace_id, quarter_at, sent, failed, waiting)
			SELECT workspace_id, date_bin('15 minutes', coalesce(settled_at, created_at), 'epoch'),
				-count(*) FILTER (WHERE state = 'sent'), -count(*) FILTER (WHERE state = 'failed'),
				-count(*) FILTER (WHERE state IN ('queued', 'sending', 'deferred'))
			FROM before GROUP BY 1, 2;
	END IF;
	RETURN NULL;
END
$$;--> statement-breakpoint
CREATE TRIGGER "deliveries_counted_inserted" AFTER INSERT ON "deliveries"
	REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();--> statement-breakpoint
CREATE TRIGGER "deliveries_counted_updated" AFTER UPDATE ON "deliveries"
	REFERENCING NEW TABLE AS after OLD TABLE AS before
	FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();--> statement-breakpoint
CREATE TRIGGER "deliveries_counted_deleted" AFTER DELETE ON "deliveries"
	REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION "delivery_note_counts"();--> statement-breakpoint
-- The triggers' locks keep everybody from writing until all of this is committed: what stands there now is counted once.
INSERT INTO "delivery_counts" ("workspace_id", "quarter_at", "sent", "failed", "waiting")
	SELECT workspace_id, date_bin('15 minutes', coalesce(settled_at, created_at), 'epoch'),
		count(*) FILTER (WHERE state = 'sent'), count(*) FILTER (WHERE state = 'failed'),
		count(*) FILTER (WHERE state IN ('queued', 'sending', 'deferred'))
	FROM deliveries WHERE coalesce(settled_at, created_at) > now() - interval '100 days' GROUP BY 1, 2;--> statement-breakpoint
-- Few rows that change all the time: room for the new versions beside the old ones, and vacuum soon.
ALTER TABLE "delivery_counts" SET (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);--> statement-breakpoint
ALTER TABLE "delivery_count_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_cost_delay = 0);
