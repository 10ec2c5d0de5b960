import { useCallback, useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { listMessages } from '../../../client/mail/message.ts'
import { mailboxList } from '../../../client/mail/mailbox-list.ts'
import type { Session } from '../../../client/core/http.ts'
import type { DeliveryState, ListedMessage } from '../../../contract/mail/message.ts'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { clock, mail } from '../../../widgets/kit/icon/icons.ts'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { Translate } from '../../../widgets/lib/messages/messages.ts'
import { useApp } from '../../app.ts'
import { ListPanel } from '../../kit/list-panel.tsx'
import { ListChoice } from '../../kit/list-toolbar.tsx'
import { createPagedStore } from '../../kit/paged-store.ts'
import { Time } from '../../kit/time.tsx'
import { useHash } from '../../kit/use-hash.ts'
import { ScreenHeader } from '../../shell/screen-header.tsx'
import { deliveryLabels } from '../campaigns/campaign-labels.ts'
import { ScheduledList } from './scheduled-list.tsx'
import { MessageView } from './message-view.tsx'

const origins = ['dashboard', 'api', 'embed', 'relay', 'form', 'reply'] as const

const originLabels: Readonly<Record<(typeof origins)[number], string>> = {
  dashboard: 'Dashboard',
  api: 'API',
  embed: 'Embed',
  relay: 'SMTP',
  form: 'Form',
  reply: 'Reply',
}

interface Filter {
  search: string
  origin: (typeof origins)[number] | ''
  state: DeliveryState | ''
  /** Id of the mailbox. */
  mailbox: string
  /** Days until now. */
  days: (typeof spans)[number] | ''
}

const spans = ['1', '7', '30', '90'] as const
const dayMs = 86_400_000
const spanLabels: Readonly<Record<(typeof spans)[number], string>> = {
  '1': 'Last 24 hours',
  '7': 'Last 7 days',
  '30': 'Last 30 days',
  '90': 'Last 90 days',
}
const noFilter: Filter = { search: '', origin: '', state: '', mailbox: '', days: '' }

function createStore(session: Session) {
  return createPagedStore<ListedMessage, Filter>({
    filter: { search: null, origin: origins, state: Object.keys(deliveryLabels), mailbox: null, days: spans },
    fetch: ({ search, origin, state, mailbox, days }, page, options) =>
      listMessages(
        session,
        {
          ...page,
          ...(search.trim() && { search: search.trim() }),
          ...(origin && { origin }),
          ...(state && { state }),
          ...(mailbox && { config_id: mailbox }),
          ...(days && { from: new Date(Date.now() - Number(days) * dayMs).toISOString() }),
        },
        options,
      ),
    restMs: (rows) => (rows.some(({ counts }) => counts.queued + counts.sending > 0) ? 3000 : null),
  })
}

/** /dashboard/messages: the mails of dashboard, API and embeds, and `#id` for one of them. */
export function MessagesPage() {
  const t = useText()
  const { session } = useApp()
  const [list] = useState(() => createStore(session))
  const place = useHash()
  if (place === 'scheduled') return <ScheduledList />
  if (place !== '' && place !== 'all') return <MessageView key={place} id={place} />
  return (
    <>
      <div className="screen-top">
        <ScreenHeader title={t('Messages')}>
          {t('Mails that were sent from the dashboard, by the API and by embeds. Campaigns have their own list.')}
        </ScreenHeader>
        <ButtonLink href="#scheduled" icon={clock}>
          {t('Scheduled')}
        </ButtonLink>
      </div>
      <MessageList list={list} />
    </>
  )
}

function MessageList({ list }: { list: ReturnType<typeof createStore> }) {
  const t = useText()
  useEffect(() => {
    return list.start()
  }, [list])
  const shown = useSnapshot(list.state)
  const find = useCallback((search: string) => void list.find({ search }), [list])
  const { search, origin, state } = shown.filter
  const isFiltered = Object.values(shown.filter).some((value) => value.trim() !== '')
  return (
    <ListPanel
      name={t('Messages')}
      list={shown}
      count={shown.items.length}
      tools={{
        label: t('Search messages'),
        placeholder: t('Whole address or part of a subject'),
        search,
        onSearch: find,
        choice: {
          label: t('Sent by'),
          value: origin,
          options: [
            { value: '', text: t('Any source') },
            ...origins.map((value) => ({ value, text: t(originLabels[value]) })),
          ],
        },
        onChoice: (value) => void list.find({ origin: value as Filter['origin'] }),
        second: {
          label: t('State'),
          value: state,
          options: [
            { value: '', text: t('All states') },
            ...Object.entries(deliveryLabels).map(([value, { word }]) => ({ value, text: t(word) })),
          ],
        },
        onSecond: (value) => void list.find({ state: value as Filter['state'] }),
        more: <MoreChoices list={list} />,
      }}
      isFiltered={isFiltered}
      noMatch={t('Clear filters')}
      onAll={() => void list.find(noFilter)}
      onRetry={() => void list.retry()}
      onTurn={(offset) => void list.turn(offset)}
      empty={
        <EmptyState
          level={2}
          icon={mail}
          title={t('No messages yet')}
          text={t('Send the first one from your own code:')}
        >
          <pre className="messages-sample" tabIndex={0}>
            <code>{sampleOf(location.origin)}</code>
          </pre>
        </EmptyState>
      }
    >
      <Table
        label={t('Messages')}
        columns={columnsOf(t)}
        rows={shown.items as ListedMessage[]}
        rowKey={({ id }) => id}
      />
    </ListPanel>
  )
}

/** Mailbox and time. */
function MoreChoices({ list }: { list: ReturnType<typeof createStore> }) {
  const t = useText()
  const { session } = useApp()
  const [mailboxes] = useState(() => mailboxList(session))
  useEffect(() => void mailboxes.load(), [mailboxes])
  const { items } = useSnapshot(mailboxes.state)
  const { mailbox, days } = useSnapshot(list.state).filter
  return (
    <>
      <ListChoice
        choice={{
          label: t('Mailbox'),
          value: mailbox,
          options: [
            { value: '', text: t('All mailboxes') },
            ...items.map(({ id, email_address: text }) => ({ value: id, text })),
          ],
        }}
        onChoice={(value) => void list.find({ mailbox: value })}
      />
      <ListChoice
        choice={{
          label: t('Sent within'),
          value: days,
          options: [
            { value: '', text: t('Any time') },
            ...spans.map((value) => ({ value, text: t(spanLabels[value]) })),
          ],
        }}
        onChoice={(value) => void list.find({ days: value as Filter['days'] })}
      />
    </>
  )
}

function sampleOf(origin: string): string {
  return `curl ${origin}/api/send-mail/SECRET_KEY \\
  -H 'Content-Type: application/json' \\
  -d '{"recipient_list": ["you@example.com"], "subject": "Hello", "content": "It works."}'`
}

const columnsOf = (t: Translate<string>): Column<ListedMessage>[] => [
  {
    label: t('Subject'),
    cell: ({ id, subject, recipients = [], counts }) => (
      <>
        <a className="row-title" href={`#${id}`}>
          {subject || t('No subject')}
        </a>
        <span className="row-detail" translate="no">
          {namesOf(
            recipients,
            Object.values(counts).reduce((sum, count) => sum + count, 0),
          )}
        </span>
      </>
    ),
  },
  {
    label: t('Sent by'),
    cell: ({ origin }) => (
      <span className="messages-origin">{origin === undefined ? '–' : t(originLabels[origin])}</span>
    ),
  },
  {
    label: t('Mailbox'),
    cell: ({ from }) => (
      <span className="messages-mailbox" translate="no">
        {from}
      </span>
    ),
  },
  {
    label: t('State'),
    cell: ({ counts }) => (
      <span className="messages-states">
        {Object.entries(deliveryLabels)
          .filter(([state]) => counts[state as DeliveryState] > 0)
          .map(([state, { word, tone }]) => (
            <span key={state} className={`state-pill ${tone}`}>
              {`${counts[state as DeliveryState].toLocaleString(t.lang)} ${t(word)}`}
            </span>
          ))}
      </span>
    ),
  },
  { label: t('Opened'), cell: ({ opened = 0 }) => (opened === 0 ? '–' : opened.toLocaleString(t.lang)) },
  { label: t('Clicked'), cell: ({ clicked = 0 }) => (clicked === 0 ? '–' : clicked.toLocaleString(t.lang)) },
  { label: t('When'), cell: ({ created_at: at }) => <Time iso={at} /> },
]

function namesOf(recipients: readonly string[], total: number): string {
  const more = total - recipients.length
  return more > 0 ? `${recipients.join(', ')} +${more}` : recipients.join(', ')
}
