import { useSyncExternalStore, type ReactNode } from 'react'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { useApp } from '../../app.ts'
import {
  embedSnippet,
  idempotencyText,
  idempotencyValues,
  mergeExamples,
  sendErrors,
  sendFields,
  sendLimits,
  type TermRow,
} from '../../content/docs.ts'
import { productName } from '../../content/product.ts'
import { PinnedEmbed } from './pinned-embed.tsx'
import { SendSamples } from './send-samples.tsx'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

const never = () => () => undefined

const sections = [
  ['docs-send', 'Send an email'],
  ['docs-fields', 'Fields'],
  ['docs-answer', 'Answer'],
  ['docs-variables', 'Merge variables'],
  ['docs-repeat', 'Retrying a call'],
  ['docs-errors', 'Errors'],
  ['docs-limits', 'Limits'],
  ['docs-embed', 'Embedding'],
] as const

/** /docs and /dashboard/documentation: the API's base address, the send call in five languages, and what surrounds it. */
export function DocumentationPage() {
  const t = useText()
  const { session, notify } = useApp()
  // At build the address is unknown.
  const origin = useSyncExternalStore(
    never,
    () => location.origin,
    () => 'https://…',
  )
  const baseUrl = session.apiBase === '' ? origin : session.apiBase
  const copied = { onCopied: () => undefined, onFailed: () => notify({ kind: 'error', text: t('Failed to copy') }) }
  return (
    <div className="docs">
      <header>
        <h1>{t('Documentation')}</h1>
        <p>
          {richText(
            t,
            'Send email from code with the secret key of a mailbox: {call}. The API answers when every recipient is stored.',
            { call: <code>POST /api/send-mail/{'{secret_key}'}</code> },
          )}
        </p>
        <nav aria-label={t('On this page')}>
          {sections.map(([id, text]) => (
            <a key={id} href={`#${id}`}>
              {t(text)}
            </a>
          ))}
        </nav>
      </header>
      <Panel id="docs-base" title={t('Base URL')}>
        <div className="docs-line">
          <code>{baseUrl}</code>
          <CopyButton text={baseUrl} what={t('base URL')} {...copied} />
        </div>
      </Panel>
      <Panel id="docs-send" title={t('Send an email')}>
        <SendSamples baseUrl={baseUrl} />
      </Panel>
      <Panel id="docs-fields" title={t('Fields')}>
        <Terms rows={sendFields} />
      </Panel>
      <Panel id="docs-answer" title={t('Answer')}>
        <pre tabIndex={0} aria-label={t('An answer')}>
          {
            '200 OK\n{ "message": "Email sent successfully to 2 recipients", "id": "…", "accepted": 2, "suppressed": 0 }'
          }
        </pre>
        <p>
          {richText(
            t,
            '{call}, with the key as bearer token, returns the state of each recipient. With the header {header} the send call waits up to ten seconds for the mail server’s first reply. Every call of {product} is described in {link}.',
            {
              call: <code>GET /api/messages/{'{id}'}</code>,
              header: <code>Prefer: wait=10</code>,
              product: productName,
              link: <a href="/openapi.json">/openapi.json</a>,
            },
          )}
        </p>
      </Panel>
      <Panel id="docs-variables" title={t('Merge variables')}>
        <Terms rows={mergeExamples} width="wide" />
        <p>{t('In HTML, values are escaped and never become markup. Variables inside a value are not replaced.')}</p>
      </Panel>
      <Panel id="docs-repeat" title={t('Retrying a call')}>
        <p>{t(idempotencyText, idempotencyValues)}</p>
      </Panel>
      <Panel id="docs-errors" title={t('Errors')}>
        <p>
          {richText(
            t,
            'An error answer is {answer}. A body that does not match the schema answers 422 with a list instead: each item has the location ({location}), the message ({message}) and the error type ({type}).',
            {
              answer: <code>{'{"detail": "a sentence that says what to do"}'}</code>,
              location: <code>loc</code>,
              message: <code>msg</code>,
              type: <code>type</code>,
            },
          )}
        </p>
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">{t('Status')}</th>
              <th scope="col">{t('What to do')}</th>
            </tr>
          </thead>
          <tbody>
            {sendErrors.map(({ code, status, sentence }) => (
              <tr key={code}>
                <td>{status}</td>
                <td>{t(sentence)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel id="docs-limits" title={t('Limits')}>
        <Terms rows={sendLimits} width="wide" isText />
      </Panel>
      <Panel id="docs-embed" title={t('Embedding')}>
        <p>
          {t(
            'Your page shows the composer without a secret key: your server exchanges the key for a session of fifteen minutes and passes the session to the page.',
          )}
        </p>
        <div className="docs-tools">
          <span>{t('In the page')}</span>
          <CopyButton text={embedSnippet(baseUrl)} what={t('embed snippet')} {...copied} />
        </div>
        <pre tabIndex={0} aria-label={t('What to paste into a page')}>
          {embedSnippet(baseUrl)}
        </pre>
        <PinnedEmbed baseUrl={baseUrl} />
      </Panel>
    </div>
  )
}

function Panel({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section className="panel" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  )
}

/** Names, or code unless it is text, with what each means. */
function Terms({
  rows,
  width = 'narrow',
  isText = false,
}: {
  rows: readonly TermRow[]
  width?: 'narrow' | 'wide'
  isText?: boolean
}) {
  const t = useText()
  return (
    <dl className={`facts ${width}`}>
      {rows.map(([name, text, values]) => (
        <div key={name}>
          <dt>{isText ? t(name) : <code>{name}</code>}</dt>
          <dd>{t(text, values)}</dd>
        </div>
      ))}
    </dl>
  )
}
