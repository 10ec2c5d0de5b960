import type { CampaignRecipientView, RecipientEvent } from '../../../../contract/results/recipient.ts'
import { useText } from '../../../../widgets/kit/text/text.tsx'
import { Time } from '../../../kit/time.tsx'
import { findReasonWords } from '../../bounces/bounce-words.ts'

type Entry = CampaignRecipientView['timeline'][number]

const eventWords: Readonly<Record<RecipientEvent, string>> = {
  sent: 'Sent',
  failed: 'Refused by the mail server',
  opened: 'Opened',
  clicked: 'Clicked',
  replied: 'Replied',
  auto_replied: 'Auto-reply',
  bounced: 'Bounced',
  delayed: 'Delayed',
  complained: 'Called it spam',
  unsubscribed: 'Unsubscribed',
  resubscribed: 'Subscribed again',
  preferences_changed: 'Preferences changed',
}

const verdictWords = { human: null, probable: 'probably a machine', machine: 'by a machine' } as const

/** What became of one mail, the newest first. */
export function Timeline({ recipient: { timeline } }: { recipient: Pick<CampaignRecipientView, 'timeline'> }) {
  const t = useText()
  return (
    <section className="panel recipient-timeline" aria-labelledby="recipient-timeline">
      <h2 id="recipient-timeline">{t('Timeline')}</h2>
      {timeline.length === 0 ? (
        <p className="recipient-none">{t('The mail has not left yet.')}</p>
      ) : (
        <ol>
          {timeline.map((entry, at) => (
            <li key={`${entry.at} ${at}`}>
              <p>
                <b>{t(eventWords[entry.event])}</b> <Linked entry={entry} />
                <Verdict entry={entry} />
              </p>
              <span className="recipient-time">
                <Time iso={entry.at} />
              </span>
              {entry.detail !== null && <p className="recipient-detail">{wordsOf(entry.detail, t)}</p>}
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

function wordsOf(detail: string, t: ReturnType<typeof useText>): string {
  const known = findReasonWords(detail)
  return known === undefined ? detail : t(known)
}

function Linked({ entry: { url, label } }: { entry: Entry }) {
  if (url === null) return null
  const name = label === null || label.trim() === '' ? url.replace(/^https?:\/\//, '') : label
  return (
    <span className="recipient-link" title={url} translate="no">
      {name}
    </span>
  )
}

function Verdict({ entry: { verdict } }: { entry: Entry }) {
  const t = useText()
  const word = verdict === null ? null : verdictWords[verdict]
  return word === null ? null : <span className="recipient-verdict">{t(word)}</span>
}
