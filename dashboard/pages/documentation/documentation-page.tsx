import { useSyncExternalStore, type ReactNode } from 'react'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { useApp } from '../../app.ts'
import { embedSnippet, idempotencyText, mergeExamples, sendErrors, sendFields, sendLimits } from '../../content/docs.ts'
import { productName } from '../../content/product.ts'
import { PinnedEmbed } from './pinned-embed.tsx'
import { SendSamples } from './send-samples.tsx'

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
  const { session, notify } = useApp()
  // Rendered at build, the page does not know its own address yet.
  const origin = useSyncExternalStore(
    never,
    () => location.origin,
    () => 'https://…',
  )
  const baseUrl = session.apiBase === '' ? origin : session.apiBase
  const copied = { onCopied: () => undefined, onFailed: () => notify({ kind: 'error', text: 'Failed to copy' }) }
  return (
    <div className="docs">
      <header>
        <h1>Documentation</h1>
        <p>
          Send email from code with the secret key of a mailbox: <code>POST /api/send-mail/{'{secret_key}'}</code>. The
          API answers when every recipient is stored.
        </p>
        <nav aria-label="On this page">
          {sections.map(([id, text]) => (
            <a key={id} href={`#${id}`}>
              {text}
            </a>
          ))}
        </nav>
      </header>
      <Panel id="docs-base" title="Base URL">
        <div className="docs-line">
          <code>{baseUrl}</code>
          <CopyButton text={baseUrl} what="base URL" {...copied} />
        </div>
      </Panel>
      <Panel id="docs-send" title="Send an email">
        <SendSamples baseUrl={baseUrl} />
      </Panel>
      <Panel id="docs-fields" title="Fields">
        <Terms rows={sendFields} />
      </Panel>
      <Panel id="docs-answer" title="Answer">
        <pre tabIndex={0} aria-label="An answer">
          {
            '200 OK\n{ "message": "Email sent successfully to 2 recipients", "id": "…", "accepted": 2, "suppressed": 0 }'
          }
        </pre>
        <p>
          <code>GET /api/messages/{'{id}'}</code>, with the key as bearer token, returns the state of each recipient.
          With the header <code>Prefer: wait=10</code> the send call waits up to ten seconds for the mail server’s first
          reply. Every call of {productName} is described in <a href="/openapi.json">/openapi.json</a>.
        </p>
      </Panel>
      <Panel id="docs-variables" title="Merge variables">
        <Terms rows={mergeExamples} width="wide" />
        <p>In HTML, values are escaped and never become markup. Variables inside a value are not replaced.</p>
      </Panel>
      <Panel id="docs-repeat" title="Retrying a call">
        <p>{idempotencyText}</p>
      </Panel>
      <Panel id="docs-errors" title="Errors">
        <p>
          An error answer is <code>{'{"detail": "a sentence that says what to do"}'}</code>. A body that does not match
          the schema answers 422 with a list instead: each item has the location (<code>loc</code>), the message (
          <code>msg</code>) and the error type (<code>type</code>).
        </p>
        <table className="docs-table">
          <thead>
            <tr>
              <th scope="col">Status</th>
              <th scope="col">What to do</th>
            </tr>
          </thead>
          <tbody>
            {sendErrors.map(({ code, status, sentence }) => (
              <tr key={code}>
                <td>{status}</td>
                <td>{sentence}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel id="docs-limits" title="Limits">
        <Terms rows={sendLimits} width="wide" isText />
      </Panel>
      <Panel id="docs-embed" title="Embedding">
        <p>
          Your page shows the composer without a secret key: your server exchanges the key for a session of fifteen
          minutes and passes the session to the page.
        </p>
        <div className="docs-tools">
          <span>In the page</span>
          <CopyButton text={embedSnippet(baseUrl)} what="embed snippet" {...copied} />
        </div>
        <pre tabIndex={0} aria-label="What to paste into a page">
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
  rows: readonly (readonly [string, string])[]
  width?: 'narrow' | 'wide'
  isText?: boolean
}) {
  return (
    <dl className={`docs-fields ${width}`}>
      {rows.map(([name, text]) => (
        <div key={name}>
          <dt>{isText ? name : <code>{name}</code>}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}
