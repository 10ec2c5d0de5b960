import { useEffect, useMemo, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { arrowLeft, inbox, refresh } from '../../../widgets/kit/icon/icons.ts'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { EmptyState, ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { useApp } from '../../app.ts'
import { MailFrame } from '../../kit/mail-frame.tsx'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { attachedImages } from './attached-images.ts'
import { createSandboxStore, type SandboxStore } from './sandbox-store.ts'
import type { SandboxMessage } from '../../../contract/mail/sandbox.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const views = [
  { value: 'html', text: 'HTML' },
  { value: 'text', text: 'Text' },
  { value: 'source', text: 'Source' },
  { value: 'headers', text: 'Headers' },
] as const

/** What the sandbox mailbox gets in answer to a mail. */
const answers = [
  { kind: 'bounce', text: 'Bounce it' },
  { kind: 'reply', text: 'Reply to it' },
  { kind: 'out_of_office', text: 'Out of office' },
  { kind: 'complaint', text: 'Call it spam' },
] as const

const refreshOptions = [
  { value: 'auto', text: 'Automatic' },
  { value: 'manual', text: 'Manual' },
] as const

/** /sandbox: the inbox of a server with its sandbox on; any other redirects to /. */
export function SandboxPage() {
  const t = useText()
  const { session, go } = useApp()
  const [store] = useState(() => createSandboxStore(session, () => go('/', { replace: true })))
  useEffect(() => {
    return store.start()
  }, [store])
  const { status, error, messages, openId, to, refreshing } = useSnapshot(store.state, { sync: true })
  const open = messages.find(({ id }) => id === openId)
  const shown = open ?? messages[0]
  return (
    <div className={open ? 'inbox reading' : 'inbox'}>
      <div className="inbox-head">
        <div>
          <h1>{t('Sandbox inbox')}</h1>
          <p>{t('Mail that this server delivered to its own sandbox mailbox. None of it left the server.')}</p>
        </div>
        <div className="inbox-tools">
          <Segmented
            label={t('Refresh')}
            options={refreshOptions.map((one) => ({ ...one, text: t(one.text) }))}
            value={refreshing}
            onValue={(value) => store.setRefreshing(value)}
          />
          <Button icon={refresh} onClick={() => void store.look()}>
            {t('Refresh')}
          </Button>
        </div>
      </div>
      <div className="inbox-panes">
        <section className="panel inbox-list" aria-label={t('Mails')}>
          <div className="inbox-filter">
            <TextField
              label={t('Recipient')}
              type="search"
              placeholder="name@example.com"
              value={to}
              onValue={(text) => store.filter(text)}
            />
          </div>
          {status === 'failed' && (
            <ErrorState title={t('The inbox could not be loaded')} text={error} onRetry={() => void store.look()} />
          )}
          {status === 'loading' && <SkeletonRows className="inbox-bones" widths={['70%', '54%', '62%']} second="40%" />}
          {status === 'ready' && messages.length === 0 && (
            <EmptyState
              icon={inbox}
              title={t('No mails yet')}
              text={
                to === ''
                  ? t('Sign up, or send a message from the sandbox mailbox: it arrives here.')
                  : t('No mails to this address.')
              }
            />
          )}
          <ul>
            {messages.map((message) => (
              <li key={message.id}>
                <button type="button" aria-current={message.id === shown?.id} onClick={() => store.open(message.id)}>
                  <b>{message.subject || t('No subject')}</b>
                  <span>{message.to.join(', ')}</span>
                  <time dateTime={message.date} title={new Date(message.date).toString()}>
                    {shortTime(message.date)}
                  </time>
                </button>
              </li>
            ))}
          </ul>
        </section>
        {shown && <Mail key={shown.id} message={shown as SandboxMessage} store={store} />}
      </div>
    </div>
  )
}

function Mail({ message, store }: { message: SandboxMessage; store: SandboxStore }) {
  const t = useText()
  const { view, answered } = useSnapshot(store.state)
  const { subject, from, to, html, text, headers, raw } = message
  const images = useMemo(() => attachedImages(html?.includes('cid:') ? raw : ''), [html, raw])
  return (
    <section className="panel inbox-mail" aria-label={t('Mail')}>
      <div className="inbox-mail-head">
        <div className="inbox-back">
          <Button kind="quiet" size="small" icon={arrowLeft} onClick={() => store.open(null)}>
            {t('All mails')}
          </Button>
        </div>
        <h2>{subject || t('No subject')}</h2>
        <p>{t('{from} to {to}', { from, to: to.join(', ') })}</p>
        <div className="inbox-tools" role="group" aria-label={t('Answer this mail')}>
          {answers.map(({ kind, text: label }) => (
            <Button key={kind} size="small" onClick={() => void store.answer(message.id, kind)}>
              {t(label)}
            </Button>
          ))}
        </div>
        <p role="status">
          {answered !== null && t('It lies in the sandbox mailbox. A mailbox that is read finds it within seconds.')}
        </p>
        <Segmented
          label={t('Show the mail as')}
          options={views.map((one) => ({ ...one, text: t(one.text) }))}
          value={view}
          onValue={(value) => store.show(value)}
        />
      </div>
      {view === 'html' &&
        (html === null ? (
          <p className="inbox-none">{t('This mail has no HTML part.')}</p>
        ) : (
          <MailFrame html={html} title={subject} images={images} />
        ))}
      {view === 'text' &&
        (text === null ? <p className="inbox-none">{t('This mail has no text part.')}</p> : <Source text={text} />)}
      {view === 'source' && <Source text={raw} />}
      {view === 'headers' && (
        <dl className="facts inbox-headers">
          {Object.entries(headers).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}

function Source({ text }: { text: string }) {
  return (
    <pre className="inbox-source" tabIndex={0}>
      {text}
    </pre>
  )
}

function shortTime(iso: string): string {
  const date = new Date(iso)
  const isToday = date.toDateString() === new Date().toDateString()
  return date.toLocaleString([], isToday ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' })
}
