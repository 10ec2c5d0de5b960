import { eventKinds } from '../../../../contract/results/event.ts'
import { touchSql } from '../../contacts/contact-touch.sql.ts'
import type { Consumer } from './consumer.ts'

const { opened, clicked, replied } = eventKinds

/**
 * Whether a time is in a later quarter of an hour than a column of the contact. Days begin with a quarter in every time zone.
 */
const isLaterQuarter = (time: string, column: string): string =>
  `(${time} is not null and (c.${column} is null
        or date_bin('15 minutes', ${time}, 'epoch') > date_bin('15 minutes', c.${column}, 'epoch')))`

/**
 * The last open, click and reply of contacts, by people, to the quarter of an hour: an image is often loaded again within
 * minutes, and each change of a contact adds an entry to all of its indexes.
 */
export const activity: Consumer = {
  name: 'activity',
  kinds: new Set([opened, clicked, replied]),
  isOfPeople: true,
  columns: ['at', 'kind', 'contact_id'],
  // `locked` holds all that the update needs: joined with another CTE it would be compared row by row. The array keeps the
  // planner from reading all contacts of the workspace, twice.
  statement: `, latest as materialized (
      select contact_id as id, max(at) filter (where kind in (${opened}, ${clicked})) as opened_at,
        max(at) filter (where kind = ${clicked}) as clicked_at, max(at) filter (where kind = ${replied}) as replied_at
      from batch where contact_id is not null group by contact_id
    ), locked as materialized (
      select l.* from latest l
        join contacts c on c.workspace_id = $1 and c.id = any(array(select id from latest)) and c.id = l.id
      where ${isLaterQuarter('l.opened_at', 'last_open_at')} or ${isLaterQuarter('l.clicked_at', 'last_click_at')}
        or ${isLaterQuarter('l.replied_at', 'last_reply_at')}
      order by c.id for no key update of c
    )
    update contacts c set
      last_open_at = greatest(c.last_open_at, l.opened_at),
      last_click_at = greatest(c.last_click_at, l.clicked_at),
      last_reply_at = greatest(c.last_reply_at, l.replied_at)
    from locked l where c.workspace_id = $1 and c.id = l.id`,
}

const segmentKinds: ReadonlySet<number> = new Set([eventKinds.segment_joined, eventKinds.segment_left])

/** Contacts whose live segments are evaluated again. A change of segments causes none, or it would never end. */
export const touches: Consumer = {
  name: 'contact-touches',
  kinds: new Set(Object.values(eventKinds).filter((kind) => !segmentKinds.has(kind))),
  isOfPeople: true,
  columns: ['contact_id'],
  statement: touchSql(`(select distinct contact_id as id from batch where contact_id is not null)`),
}
