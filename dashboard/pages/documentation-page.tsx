import { useState, useSyncExternalStore } from 'react'
import { CopyButton } from '../../widgets/kit/copy-button.tsx'
import { Segmented } from '../../widgets/kit/segmented.tsx'
import { codeSamples } from '../content/code-samples.ts'
import { productName } from '../content/product.ts'
import { useApp } from '../app.ts'

const never = () => () => undefined

/** /docs and /dashboard/documentation: the API's base address, and the send call in five languages. */
export function DocumentationPage() {
  const { session, notify } = useApp()
  // Rendered at build, the page does not know its own address yet.
  const origin = useSyncExternalStore(
    never,
    () => location.origin,
    () => 'https://…',
  )
  const baseUrl = session.apiBase === '' ? origin : session.apiBase
  const samples = codeSamples(baseUrl)
  const [language, setLanguage] = useState('curl')
  const code = samples.find((sample) => sample.language === language)?.code ?? ''
  const copied = { onCopied: () => undefined, onFailed: () => notify({ kind: 'error', text: 'Failed to copy' }) }
  return (
    <div className="docs">
      <header>
        <h1>Documentation</h1>
        <p>
          Send email from code with the secret key of a configuration. One call; the answer comes when every recipient
          is safely written down.
        </p>
      </header>
      <section className="panel" aria-labelledby="docs-base">
        <h2 id="docs-base">Base URL</h2>
        <div className="docs-line">
          <code>{baseUrl}</code>
          <CopyButton text={baseUrl} what="base URL" {...copied} />
        </div>
      </section>
      <section className="panel" aria-labelledby="docs-send">
        <h2 id="docs-send">Send an email</h2>
        <div className="docs-tools">
          <Segmented
            label="Language"
            options={samples.map((sample) => ({ value: sample.language, text: sample.language }))}
            value={language}
            onValue={setLanguage}
          />
          <CopyButton key={language} text={code} what={`${language} sample`} {...copied} />
        </div>
        <pre tabIndex={0} aria-label={`${language} sample`}>
          {code}
        </pre>
      </section>
      <section className="panel" aria-labelledby="docs-fields">
        <h2 id="docs-fields">Fields</h2>
        <dl className="docs-fields">
          {fields.map(([name, text]) => (
            <div key={name}>
              <dt>
                <code>{name}</code>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="panel" aria-labelledby="docs-answer">
        <h2 id="docs-answer">Answer</h2>
        <pre tabIndex={0} aria-label="An answer">
          {
            '200 OK\n{ "message": "Email sent successfully to 2 recipients", "id": "…", "accepted": 2, "suppressed": 0 }'
          }
        </pre>
        <p>
          <code>GET /api/messages/{'{id}'}</code>, with the key as bearer token, tells where each recipient stands.
          Every call of {productName} is described in <a href="/openapi.json">/openapi.json</a>.
        </p>
      </section>
    </div>
  )
}

const fields = [
  ['recipient_list', 'Required. Addresses, one each; everybody gets a mail of their own.'],
  ['subject', 'Required. May hold merge variables such as {{name}}.'],
  ['content', 'Required, unless the query names a template_key. The body of the mail.'],
  ['is_html', 'Whether content is HTML. Default: false.'],
  ['context', 'Values of the merge variables, by name.'],
] as const
