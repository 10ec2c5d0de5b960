import { useId, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { LeftOutReason } from '../../../contract/audience/campaign-audience.ts'
import { useText } from '../../kit/text/text.tsx'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { countBySource } from '../recipients-import/import-store.ts'

const reasons: Readonly<Record<LeftOutReason, string>> = {
  excluded: 'In a list or segment that is left out',
  unsubscribed: 'Unsubscribed',
  bounced: 'Mail to them came back',
  complained: 'Reported mail as spam',
  suppressed: 'On the list of suppressions',
  erased: 'Erased',
  paused: 'Paused their mail',
  frequency: 'Got their campaign of the week',
  too_large: 'Their mail would be too large',
  duplicate: 'Other contact with the same address',
}

/** How many distinct people get the mail, how many are in several sources, and who is left out and why. */
export function AudienceTotal({ store }: { store: ComposeStore }) {
  const t = useText()
  const { draft, audience } = useSnapshot(store.state)
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const isServed = draft.audience?.some(({ isExcluded }) => !isExcluded) ?? false
  const counted = isServed ? (audience?.counted ?? null) : totalOf(draft)
  const leftOut = counted?.left_out.filter(({ count }) => count > 0) ?? []
  const leftOutCount = leftOut.reduce((sum, { count }) => sum + count, 0)
  if (isServed && audience?.problem)
    return (
      <p className="audience-total problem" role="alert">
        {t(audience.problem)}
      </p>
    )
  if (!isServed && counted === null) return null
  return (
    <div className="audience-total">
      <span role="status">
        {counted === null ? (
          t('Counting people…')
        ) : (
          <>
            <b>
              {counted.status === 'estimate'
                ? t('About {count} person will get it|About {count} people will get it', { count: counted.count })
                : t('{count} person will get it|{count} people will get it', { count: counted.count })}
            </b>
            {counted.overlaps > 0 && (
              <> · {t('{number} in more than one source, counted once', { number: counted.overlaps })}</>
            )}
          </>
        )}
      </span>
      {leftOutCount > 0 && (
        <button
          type="button"
          className="link"
          aria-expanded={isOpen}
          aria-controls={`${id}-reasons`}
          onClick={() => setOpen(!isOpen)}
        >
          {t('{number} left out', { number: leftOutCount })}
        </button>
      )}
      <ul id={`${id}-reasons`} className="audience-reasons" hidden={!isOpen || leftOutCount === 0}>
        {leftOut.map(({ reason, count }) => (
          <li key={reason}>
            {t(reasons[reason])} <b>{count.toLocaleString(t.lang)}</b>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The same for pastes and files alone, which need no server; null where there is one source only. */
function totalOf({ recipients, sources }: Parameters<typeof countOf>[0]) {
  return sources.length === 0 ? null : countOf({ recipients, sources })
}

function countOf({ recipients, sources }: Pick<ComposeStore['state']['draft'], 'recipients' | 'sources'>) {
  const ids = new Set(sources.map(({ id }) => id))
  const count = uniqueRecipients(recipients).length
  const typed = new Set(
    recipients.flatMap(({ key, problem, from }) => (problem === null && !(from && ids.has(from)) ? [key] : [])),
  )
  const ofSources = [...countBySource(recipients)].reduce((sum, [id, one]) => sum + (ids.has(id) ? one : 0), typed.size)
  const left_out: { reason: LeftOutReason; count: number }[] = []
  return ofSources === count && sources.length < 2 && typed.size === 0
    ? null
    : { status: 'exact' as const, count, overlaps: ofSources - count, left_out }
}
