import { useState } from 'react'
import type { MessageContentView } from '../../../../contract/mail/message.ts'
import { Segmented } from '../../../../widgets/kit/form/segmented.tsx'
import { MailFrame } from '../../../../widgets/kit/mail/mail-frame.tsx'
import { useText } from '../../../../widgets/kit/text/text.tsx'

type View = 'html' | 'text' | 'headers'

/** A mail as it was sent to one recipient: HTML, text and headers. Its links lead nowhere and show their destination. */
export function MailAsSent({ content: { html, text, headers, subject } }: { content: MessageContentView }) {
  const t = useText()
  const [view, setView] = useState<View>(html === null ? 'text' : 'html')
  const options: { value: View; text: string }[] = [
    ...(html === null ? [] : [{ value: 'html' as const, text: 'HTML' }]),
    { value: 'text', text: t('Text') },
    { value: 'headers', text: t('Headers') },
  ]
  return (
    <section className="panel recipient-mail" aria-labelledby="recipient-mail">
      <div className="recipient-mail-head">
        <div>
          <h2 id="recipient-mail">{t('The mail as sent')}</h2>
          <p translate="no">{subject}</p>
        </div>
        <Segmented label={t('View')} options={options} value={view} onValue={setView} />
      </div>
      {view === 'html' && html !== null && (
        <div className="recipient-frame">
          <MailFrame html={html} title={t('The mail {subject}', { subject })} />
        </div>
      )}
      {view !== 'html' && (
        <pre className="recipient-text" tabIndex={0} translate="no">
          {view === 'text' ? text : headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </pre>
      )}
    </section>
  )
}
