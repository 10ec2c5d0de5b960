import { useSnapshot } from 'valtio'
import type { TimelineEntry } from '../../../contract/audience/contact.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { Bone, ErrorState, Skeleton } from '../../../widgets/kit/feedback/states.tsx'
import { Icon, type IconData } from '../../../widgets/kit/icon/icon.tsx'
import { check, list, megaphone, plus } from '../../../widgets/kit/icon/icons.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { Time } from '../../kit/time.tsx'
import { deliveryLabels } from '../campaigns/campaign-labels.ts'
import { memberStateLabels, sourceLabels, timelineLabels } from '../contacts/contact-text.ts'
import type { ContactStore } from './contact-store.ts'

const icons: Readonly<Record<TimelineEntry['kind'], IconData>> = {
  campaign: megaphone,
  consent: check,
  membership: list,
  created: plus,
}

/** What was sent to the contact, its consents and its memberships, newest first. */
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
            <Entry key={`${entry.at} ${entry.kind} ${entry.object_id ?? entry.title}`} entry={entry} />
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

function Entry({ entry: { kind, title, detail, at, object_id: id } }: { entry: TimelineEntry }) {
  const t = useText()
  const link = kind === 'campaign' ? `/dashboard/campaigns#${id}` : `/dashboard/contacts?list=${id}`
  const words = kind === 'consent' || kind === 'created' ? t(sourceLabels[title] ?? title) : title
  return (
    <li>
      <Icon of={icons[kind]} size={16} />
      <span>
        {t(timelineLabels[kind])}: {id === null ? <b>{words}</b> : <a href={link}>{words || t('Without a name')}</a>}
        {detail !== '' && <span className="contact-note">{detailOf(kind, detail, t)}</span>}
      </span>
      <Time iso={at} />
    </li>
  )
}

function detailOf(kind: TimelineEntry['kind'], detail: string, t: (text: string) => string): string {
  if (kind === 'campaign') return t(deliveryWord(detail))
  if (kind === 'membership') return t(memberStateLabels[detail] ?? detail)
  return detail
}

const deliveryWord = (state: string): string =>
  Object.entries(deliveryLabels).find(([name]) => name === state)?.[1].word ?? state
