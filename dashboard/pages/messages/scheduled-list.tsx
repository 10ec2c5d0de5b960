import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { cancelMessage, listScheduledMessages, updateScheduledMessage } from '../../../client/mail/scheduled-message.ts'
import { errorText } from '../../../client/core/http.ts'
import type { ScheduledSummary } from '../../../contract/mail/send/scheduled-message.ts'
import { TimeDialog } from '../../../widgets/compose/schedule/time-dialog.tsx'
import { ButtonLink, Button } from '../../../widgets/kit/form/button.tsx'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { circleX, clock } from '../../../widgets/kit/icon/icons.ts'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { Table, type Column } from '../../../widgets/kit/table/table.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useApp } from '../../app.ts'
import { BackLink } from '../../kit/back-link.tsx'
import { createPagedStore } from '../../kit/paged-store.ts'
import { Pager } from '../../kit/pager.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { ScreenHeader } from '../../shell/screen-header.tsx'

type Asked = { act: 'move' | 'cancel'; message: ScheduledSummary } | null

/** Messages that wait for their time, the next one first: each can be changed, moved and cancelled. */
export function ScheduledList() {
  const t = useText()
  const { session, notify } = useApp()
  const [list] = useState(() =>
    createPagedStore<ScheduledSummary, object>({
      filter: {},
      fetch: (_, page, options) => listScheduledMessages(session, page, options),
      restMs: () => 15_000,
    }),
  )
  useEffect(() => {
    return list.start()
  }, [list])
  const { items, status, error, offset, totalCount } = useSnapshot(list.state)
  const [asked, setAsked] = useState<Asked>(null)
  const [isBusy, setBusy] = useState(false)

  const act = async (work: () => Promise<unknown>, done: string) => {
    setBusy(true)
    try {
      await work()
      notify({ kind: 'success', text: done })
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? t('That did not work') })
    }
    setBusy(false)
    void list.load()
    return true
  }

  const columns: Column<ScheduledSummary>[] = [
    {
      label: t('Subject'),
      cell: ({ id, subject, from }) => (
        <>
          <a className="row-title" href={`/dashboard/send_email?message=${id}`}>
            {subject || t('No subject')}
          </a>
          <span className="row-detail" translate="no">
            {from}
          </span>
        </>
      ),
    },
    { label: t('Leaves'), cell: (message) => <LeavesAt message={message} /> },
    { label: t('Recipients'), cell: ({ recipients }) => recipients.toLocaleString(t.lang) },
    {
      label: t('Actions'),
      align: 'end',
      cell: (message) => (
        <span className="row-actions">
          <Button
            kind="quiet"
            size="small"
            icon={clock}
            aria-label={t('Move {name} to another time', { name: message.subject })}
            onClick={() => setAsked({ act: 'move', message })}
          >
            {t('Move')}
          </Button>
          <Button
            kind="quiet"
            size="small"
            icon={circleX}
            aria-label={t('Cancel {name}', { name: message.subject })}
            onClick={() => setAsked({ act: 'cancel', message })}
          >
            {t('Cancel')}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <>
      <BackLink>{t('All messages')}</BackLink>
      <ScreenHeader title={t('Scheduled messages')}>
        {richText(t, 'Messages that have not left yet, the next one first. Scheduled campaigns are on the {link}.', {
          link: <a href="/dashboard/campaigns?status=scheduled">{t('list of campaigns')}</a>,
        })}
      </ScreenHeader>
      <section className="panel" aria-label={t('Scheduled messages')}>
        {items.length > 0 && (
          <Table label={t('Scheduled messages')} columns={columns} rows={items} rowKey={({ id }) => id} />
        )}
        {items.length === 0 && status === 'loading' && <SkeletonRows widths={['46%', '58%']} second="28%" />}
        {items.length === 0 && status === 'failed' && (
          <ErrorState
            level={2}
            title={t('The messages could not be loaded')}
            text={error}
            onRetry={() => void list.retry()}
          />
        )}
        {items.length === 0 && status === 'ready' && (
          <EmptyState
            level={2}
            icon={clock}
            title={t('No scheduled messages')}
            text={t('To send a message at a later time, write it and choose Later beside Launch Message.')}
          >
            <ButtonLink href="/dashboard/send_email" kind="primary">
              {t('Write a message')}
            </ButtonLink>
          </EmptyState>
        )}
        <Pager
          offset={offset}
          shown={items.length}
          total={totalCount}
          onTurn={(at) => void list.turn(at)}
          turns={[t('Earlier'), t('Later')]}
        />
      </section>
      {asked?.act === 'move' && (
        <TimeDialog
          title={t('Move to another time')}
          act={t('Move')}
          back={t('Not now')}
          begin={{ iso: asked.message.scheduled_at, timezone: asked.message.timezone ?? 'UTC' }}
          onChosen={(time) =>
            void act(() => updateScheduledMessage(session, asked.message.id, time), t('The message was moved'))
          }
          onClosed={() => setAsked(null)}
        />
      )}
      {asked?.act === 'cancel' && (
        <ConfirmDialog
          title={t('Cancel this message?')}
          act={t('Cancel it')}
          keep={t('Keep it')}
          busy={isBusy}
          onAct={() => act(() => cancelMessage(session, asked.message.id), t('The message was cancelled'))}
          onClosed={() => setAsked(null)}
        >
          <p>
            <b translate="no">{asked.message.subject}</b>
          </p>
          <p>{t('It does not leave, and cannot be scheduled again.')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

/** Its time on the clocks of its zone, and the zone. */
function LeavesAt({ message: { scheduled_at: iso, timezone } }: { message: ScheduledSummary }) {
  const t = useText()
  const timeZone = timezone ?? 'UTC'
  return (
    <>
      <time dateTime={iso}>
        {new Date(iso).toLocaleString(t.lang, { dateStyle: 'medium', timeStyle: 'short', timeZone })}
      </time>
      <span className="row-detail" translate="no">
        {timeZone}
      </span>
    </>
  )
}
