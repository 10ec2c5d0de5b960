import { useCallback, useMemo, useState } from 'react'
import type { CallOptions } from '../../../client/core/http.ts'
import { getMessageContent } from '../../../client/mail/message.ts'
import type { MessageContentView, MessageDelivery } from '../../../contract/mail/message.ts'
import { ErrorState } from '../../../widgets/kit/feedback/states.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { MailFrame } from '../../../widgets/kit/mail/mail-frame.tsx'
import { useModule } from '../../../widgets/kit/use-module.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { SkeletonRows } from '../../kit/skeleton-rows.tsx'
import { useLoaded } from '../../kit/use-loaded.ts'

/** The frame of the mail loads it too. */
const loadReader = () => import('../../../widgets/lib/mail-nodes.ts')

/** The mail of a message as it was sent to one recipient. */
export function SentMail({
  id,
  deliveries,
}: {
  id: string
  deliveries: readonly Pick<MessageDelivery, 'id' | 'recipient'>[]
}) {
  const t = useText()
  const [chosen, setChosen] = useState<string | null>(null)
  const deliveryId = chosen ?? deliveries[0]?.id ?? '0'
  return (
    <section className="panel message-content" aria-label={t('The mail as sent')}>
      <div className="message-head">
        <h2>{t('The mail as sent')}</h2>
      </div>
      {deliveries.length > 1 && (
        <div className="message-choice">
          <SelectField
            label={t('Recipient')}
            value={deliveryId}
            options={deliveries.map(({ id: value = '', recipient }) => ({ value, text: recipient }))}
            onValue={setChosen}
          />
        </div>
      )}
      <Mail key={deliveryId} id={id} deliveryId={deliveryId} />
    </section>
  )
}

function Mail({ id, deliveryId }: { id: string; deliveryId: string }) {
  const t = useText()
  const { session } = useApp()
  const load = useCallback(
    (options: CallOptions) => getMessageContent(session, { id, deliveryId }, options),
    [session, id, deliveryId],
  )
  const { loaded, reload } = useLoaded(load)
  if (loaded.status === 'loading') return <SkeletonRows widths={['60%', '80%', '40%']} />
  if (loaded.status === 'ready') return <Content content={loaded.value} />
  return <ErrorState title={t('The mail cannot be shown')} text={loaded.error} onRetry={reload} />
}

type View = 'html' | 'text' | 'headers'

function Content({ content }: { content: MessageContentView }) {
  const t = useText()
  const { html, text, headers, subject } = content
  const [view, setView] = useState<View>(html === null ? 'text' : 'html')
  const options: { value: View; text: string }[] = [
    ...(html === null ? [] : [{ value: 'html' as const, text: 'HTML' }]),
    { value: 'text', text: t('Text') },
    { value: 'headers', text: t('Headers') },
  ]
  return (
    <>
      <div className="message-choice">
        <Segmented label={t('View')} options={options} value={view} onValue={setView} />
      </div>
      {view === 'html' && html !== null && (
        <>
          <div className="message-frame">
            <MailFrame html={html} title={t('The mail {subject}', { subject })} />
          </div>
          <Links html={html} />
        </>
      )}
      {view === 'text' && (
        <pre className="message-text" tabIndex={0} translate="no">
          {text}
        </pre>
      )}
      {view === 'headers' && (
        <pre className="message-text" tabIndex={0} translate="no">
          {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </pre>
      )}
    </>
  )
}

const linksMaxCount = 500

/** The links of a mail with their destinations, which its frame shows on hover only. */
function Links({ html }: { html: string }) {
  const t = useText()
  const reader = useModule(loadReader, true).module
  const links = useMemo(() => {
    const found = reader?.readMail(html).body.querySelectorAll('a[title]') ?? []
    return [...found].slice(0, linksMaxCount).map((link) => ({
      text: link.textContent.trim(),
      url: link.getAttribute('title') ?? '',
    }))
  }, [html, reader])
  if (links.length === 0) return null
  return (
    <details className="message-links">
      <summary>{t('{count} link in this mail|{count} links in this mail', { count: links.length })}</summary>
      <ul translate="no">
        {links.map(({ text, url }, at) => (
          <li key={at}>
            <b>{text}</b> {url}
          </li>
        ))}
      </ul>
    </details>
  )
}
