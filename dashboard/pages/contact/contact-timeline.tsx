import { useSnapshot } from 'valtio'
import type { TimelineEntry } from '../../../contract/audience/contact.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Icon, type IconData } from '../../../widgets/kit/icon/icon.tsx'
import {
  ban,
  check,
  circleMinus,
  clock,
  link,
  list,
  mail,
  mailOpen,
  megaphone,
  plus,
  reply,
  triangleAlert,
} from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { Time } from '../../kit/time.tsx'
import { reasonWords } from '../bounces/bounce-words.ts'
import { deliveryLabels } from '../campaigns/campaign-labels.ts'
import { memberStateLabels, sourceLabels, timelineLabels } from '../contacts/contact-text.ts'
import type { ContactStore } from './contact-store.ts'

const icons: Readonly<Record<TimelineEntry['kind'], IconData>> = {
  campaign: megaphone,
  message: mail,
  opened: mailOpen,
  clicked: link,
  replied: reply,
  auto_replied: reply,
  bounced: triangleAlert,
  delayed: clock,
  complained: ban,
  unsubscribed: circleMinus,
  resubscribed: check,
  list_joined: list,
  list_left: list,
  consent: check,
  membership: list,
  created: plus,
}

/** What was sent to the contact and what became of it, its consents and its memberships, newest first. */
export function ContactTimeline({ store }: { store: ContactStore }) {
  const t = useText()
  const { status, error, entries, next } = useSnapshot(store.state).timeline
  return (
    <section className="panel contact-timeline" aria-label={t('Timeline')}>
      <h2>{t('Timeline')}</h2>
      {entries.length === 0 && status === 'loading' && (
        <Skeleton>
          {['52%', '44%', '60%'].map((width) => (
            <Bone key={width} width={width} />
          ))}
        </Skeleton>
      )}
      {entries.length > 0 && (
        <ol>
          {entries.map((entry) => (
            <Entry
              key={`${entry.at} ${entry.kind} ${entry.object_id ?? entry.title} ${entry.verdict} ${entry.detail}`}
              entry={entry}
            />
          ))}
        </ol>
      )}
      {status === 'failed' && (
        <ErrorState
          level={2}
          title={t('The timeline could not be loaded')}
          text={error ?? ''}
          onRetry={() => void store.loadMore()}
        />
      )}
      {next !== null && status !== 'failed' && (
        <Button busy={status === 'loading'} onClick={() => void store.loadMore()}>
          {t('Show more')}
        </Button>
      )}
    </section>
  )
}

const ofCampaign: ReadonlySet<string> = new Set<TimelineEntry['kind']>([
  'campaign',
  'opened',
  'clicked',
  'replied',
  'auto_replied',
  'bounced',
  'delayed',
  'complained',
  'unsubscribed',
])
const ofList: ReadonlySet<string> = new Set<TimelineEntry['kind']>(['membership', 'list_joined', 'list_left'])

/** The page of what an entry is about; null without one. */
function linkOf({ kind, object_id: id }: Pick<TimelineEntry, 'kind' | 'object_id'>): string | null {
  if (id === null) return null
  if (ofCampaign.has(kind)) return `/dashboard/campaigns#${id}`
  return ofList.has(kind) ? `/dashboard/contacts?list=${id}` : null
}

function Entry({ entry }: { entry: TimelineEntry }) {
  const t = useText()
  const { kind, title, at, verdict, reason } = entry
  const href = linkOf(entry)
  const words = kind === 'consent' || kind === 'created' ? t(sourceLabels[title] ?? title) : title
  return (
    <li>
      <Icon of={icons[kind]} size={16} />
      <span>
        {t(timelineLabels[kind])}
        {(words || href) && ': '}
        {href === null ? <b>{words}</b> : <a href={href}>{words || t('Without a name')}</a>}
        {verdict !== null && verdict !== 'human' && (
          <span className="contact-note">{verdict === 'machine' ? t('By a machine') : t('Probably by a machine')}</span>
        )}
        {reason !== null && <span className="contact-note">{t(reasonWords(reason))}</span>}
        <Detail entry={entry} />
      </span>
      <Time iso={at} />
    </li>
  )
}

/** Longer words are folded. */
const shortMaxLength = 200

function Detail({ entry: { kind, detail } }: { entry: Pick<TimelineEntry, 'kind' | 'detail'> }) {
  const t = useText()
  if (detail === '') return null
  if (kind === 'campaign' || kind === 'message') return <span className="contact-note">{t(deliveryWord(detail))}</span>
  if (kind === 'membership') return <span className="contact-note">{t(memberStateLabels[detail] ?? detail)}</span>
  if (detail.length <= shortMaxLength) return <span className="contact-note contact-words">{detail}</span>
  return (
    <details className="contact-note">
      <summary>{`${detail.slice(0, shortMaxLength / 2)}…`}</summary>
      <span className="contact-words">{detail}</span>
    </details>
  )
}

const deliveryWord = (state: string): string =>
  Object.entries(deliveryLabels).find(([name]) => name === state)?.[1].word ?? state
