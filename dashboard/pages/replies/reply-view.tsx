import { useEffect, useRef, useState } from 'react'
import type { Reply } from '../../../contract/inbox/reply.ts'
import { Button, ButtonLink } from '../../../widgets/kit/form/button.tsx'
import { arrowLeft, ban, check, circleCheck, trash } from '../../../widgets/kit/icon/icons.ts'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { MailFrame } from '../../kit/mail-frame.tsx'
import { Time } from '../../kit/time.tsx'
import { AnswerForm } from './answer-form.tsx'
import type { RepliesStore } from './replies-store.ts'

/** One reply: its text, the mail that it answers, and the answer. */
export function ReplyView({ reply, store }: { reply: Readonly<Reply>; store: RepliesStore }) {
  const t = useText()
  const title = useRef<HTMLHeadingElement>(null)
  const { isOpen } = store.state
  // An opened reply is read next; one that J or K selects leaves the focus in the list.
  useEffect(() => {
    if (isOpen) title.current?.focus({ preventScroll: true })
  }, [isOpen])
  return (
    <article className="reply">
      <Tools reply={reply} store={store} />
      <div className="reply-scroll">
        <Sender reply={reply} />
        <h2 ref={title} tabIndex={-1}>
          {reply.subject === '' ? t('No subject') : reply.subject}
        </h2>
        <div className="reply-text">
          <Linked text={reply.text} />
        </div>
        {reply.sent && (
          <details className="reply-sent" open>
            <summary>
              <b>{t('Your mail')}</b> {reply.campaign_name ?? reply.sent.subject} · {t('sent')}{' '}
              <Time iso={reply.sent.sent_at} isDated />
              {reply.sent.opened_at !== null && (
                <>
                  {' · '}
                  {t('opened')} <Time iso={reply.sent.opened_at} isDated />
                </>
              )}
              {reply.sent.click_count > 0 &&
                ` · ${reply.sent.click_count === 1 ? t('1 click') : t('{n} clicks', { n: reply.sent.click_count })}`}
            </summary>
            {reply.sent.is_html ? (
              <MailFrame html={reply.sent.content} title={reply.sent.subject} />
            ) : (
              <pre tabIndex={0}>{reply.sent.content}</pre>
            )}
          </details>
        )}
        {reply.answer && (
          <div className="reply-answer">
            <b>{t('Your answer')}</b> <Time iso={reply.answer.sent_at} isDated />
            <pre tabIndex={0}>{reply.answer.text}</pre>
          </div>
        )}
      </div>
      <AnswerForm reply={reply} store={store} />
    </article>
  )
}

function Tools({ reply, store }: { reply: Readonly<Reply>; store: RepliesStore }) {
  const t = useText()
  const [asked, setAsked] = useState<'unsubscribe' | 'delete' | null>(null)
  const isOpenProbable = reply.match === 'probable' && !reply.is_settled
  return (
    <div className="reply-tools">
      <div className="reply-back">
        <Button kind="quiet" icon={arrowLeft} onClick={() => store.back()}>
          {t('All replies')}
        </Button>
      </div>
      <Button icon={check} onClick={() => void store.archive(reply.id, !reply.is_archived)}>
        {reply.is_archived ? t('Back to the list') : t('Done')}
      </Button>
      {reply.mailbox_link !== null && (
        <ButtonLink kind="quiet" href={reply.mailbox_link} target="_blank" rel="noreferrer noopener">
          {reply.mailbox_link.includes('google') ? t('Open in Gmail') : t('Open in Outlook')}
        </ButtonLink>
      )}
      <span className="reply-space" />
      {isOpenProbable && <Button onClick={() => void store.confirm(reply.id)}>{t('It is a reply')}</Button>}
      {isOpenProbable && (
        <Button kind="quiet" onClick={() => void store.reject(reply.id)}>
          {t('Not a reply')}
        </Button>
      )}
      <Button kind="quiet" icon={ban} onClick={() => setAsked('unsubscribe')}>
        {t('Unsubscribe this person')}
      </Button>
      <Button kind="quiet" icon={trash} aria-label={t('Delete')} onClick={() => setAsked('delete')} />
      {asked === 'unsubscribe' && (
        <ConfirmDialog
          title={t('Unsubscribe this person')}
          act={t('Unsubscribe')}
          busy={false}
          onAct={() => store.unsubscribe(reply.id)}
          onClosed={() => setAsked(null)}
        >
          <p>{t('No later campaign goes to {address}.', { address: reply.sent?.recipient ?? reply.from_address })}</p>
        </ConfirmDialog>
      )}
      {asked === 'delete' && (
        <ConfirmDialog
          title={t('Delete this reply')}
          act={t('Delete')}
          busy={false}
          onAct={() => store.remove(reply.id)}
          onClosed={() => setAsked(null)}
        >
          <p>{t('Its copy here is deleted. The mail stays in your mailbox.')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}

function Sender({ reply }: { reply: Readonly<Reply> }) {
  const t = useText()
  const name = reply.from_name === '' ? reply.from_address : reply.from_name
  const initials = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return (
    <header className="reply-sender">
      <span className="reply-initials" aria-hidden="true">
        {initials}
      </span>
      <div>
        <b>{name}</b>{' '}
        {reply.is_verified && (
          <i className="reply-tag">
            <Icon of={circleCheck} size={14} /> {t('Sender verified')}
          </i>
        )}
        {reply.match === 'unverified' && <i className="reply-tag doubtful">{t('Unverified')}</i>}
        <p>{t('{from} to {to}', { from: reply.from_address, to: reply.mailbox_address })}</p>
      </div>
      <Time iso={reply.received_at} isDated />
      <p className="reply-facts">
        {reply.kind === 'auto_reply' && <span>{t('Auto-reply')}</span>}
        {reply.returns_on !== null && (
          <span>
            {t('Back on {date}', {
              date: new Date(reply.returns_on).toLocaleDateString(t.lang, { dateStyle: 'long', timeZone: 'UTC' }),
            })}
          </span>
        )}
        {reply.campaign_name !== null && <span>{reply.campaign_name}</span>}
        {reply.contact_id !== null && <a href={`/dashboard/contacts/${reply.contact_id}`}>{t('Open contact')}</a>}
      </p>
    </header>
  )
}

const link = /(https?:\/\/[^\s<>"')\]]{1,2000})/

/** Text whose addresses of web pages are links; they open a new page that does not learn where they were found. */
function Linked({ text }: { text: string }) {
  return text.split(link).map((part, index) =>
    index % 2 === 1 ? (
      <a key={index} href={part} target="_blank" rel="noreferrer noopener">
        {part}
      </a>
    ) : (
      part
    ),
  )
}
