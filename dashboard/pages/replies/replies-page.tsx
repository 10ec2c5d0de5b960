import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { EmptyState } from '../../../widgets/kit/feedback/states.tsx'
import { ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { reply as replyIcon } from '../../../widgets/kit/icon/icons.ts'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { RepliesList } from './replies-list.tsx'
import { ReplyView } from './reply-view.tsx'
import { createRepliesStore, type RepliesStore } from './replies-store.ts'
import { css } from './replies.css'

const sheet = createSheet(css)

/** /dashboard/replies: answers to our mails, and what is done with them. `?campaign=` shows those of one campaign. */
export function RepliesPage() {
  useSheet(sheet)
  const t = useText()
  useSheet(sheet)
  const { session, notify } = useApp()
  const [store] = useState(() => {
    const campaignId = new URLSearchParams(location.search).get('campaign') ?? ''
    return createRepliesStore(session, notify, campaignId)
  })
  useEffect(() => {
    return store.start()
  }, [store])
  useEffect(() => {
    return listenToKeys(store)
  }, [store])
  const { status, items, counts, isOpen, reply, view, campaignId } = useSnapshot(store.state, { sync: true })
  const isFiltered = view !== 'reply' || campaignId !== ''
  const isOff = status === 'ready' && counts?.is_any_reading === false && items.length === 0 && !isFiltered
  if (isOff) {
    return (
      <>
        <h1>{t('Replies')}</h1>
        <EmptyState
          icon={replyIcon}
          level={2}
          title={t('No mailbox is read')}
          text={t('Answers to your mails appear here once a mailbox is read.')}
        >
          <ButtonLink kind="primary" href="/dashboard/email_config#reading">
            {t('Turn on reading')}
          </ButtonLink>
        </EmptyState>
      </>
    )
  }
  return (
    <div className={isOpen ? 'replies reading' : 'replies'}>
      <RepliesList store={store} />
      <section className="replies-pane" aria-label={t('Reply')}>
        {reply ? (
          <ReplyView key={reply.id} reply={reply} store={store} />
        ) : (
          <p className="replies-none">{t('Choose a reply to read it.')}</p>
        )}
      </section>
    </div>
  )
}

/** J, K and E, while no field has the focus. The selected row has it, so that Enter opens it. */
function listenToKeys(store: RepliesStore): () => void {
  const onKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement | null
    if (event.ctrlKey || event.metaKey || event.altKey || target?.closest('input, textarea, select, dialog')) return
    const { reply } = store.state
    if (event.key === 'j') focusRow(store.move(1))
    else if (event.key === 'k') focusRow(store.move(-1))
    else if (event.key === 'e' && reply !== null) void store.archive(reply.id, !reply.is_archived)
    else return
    event.preventDefault()
  }
  document.addEventListener('keydown', onKey)
  return () => document.removeEventListener('keydown', onKey)
}

function focusRow(id: string | null): void {
  if (id !== null) document.querySelector<HTMLElement>(`.replies-list [data-id="${id}"]`)?.focus()
}
