import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { mailboxList } from '../../../client/mail/mailbox-list.ts'
import type { Embed } from '../../../contract/embed/embed.ts'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { useApp } from '../../app.ts'
import { embedSnippet, serverSample, type SignInWay } from './snippet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

const ways = [
  { value: 'popup', text: 'Popup' },
  { value: 'server', text: 'My server' },
] as const

/** The snippets for the page and for the server. */
export function EmbedSnippet({ embed }: { embed: Embed }) {
  const t = useText()
  const { session, notify } = useApp()
  const [way, setWay] = useState<SignInWay>(embed.popup_sign_in ? 'popup' : 'server')
  const [list] = useState(() => mailboxList(session))
  useEffect(() => void list.load(), [list])
  const { items, status } = useSnapshot(list.state)
  // Without the mailboxes the snippet would lack its link for pages without script.
  const isWhole = status === 'ready' || status === 'failed'
  const usable = items.filter(({ id }) => embed.config_ids === null || embed.config_ids.includes(id))
  const baseUrl = session.apiBase === '' ? location.origin : session.apiBase
  const snippet = embedSnippet(embed, { baseUrl, way, mailbox: usable[0]?.email_address ?? null })
  const sample = serverSample(embed, baseUrl)
  const copied = { onCopied: () => undefined, onFailed: () => notify({ kind: 'error', text: t('Failed to copy') }) }
  return (
    <section className="panel" aria-labelledby="embed-snippet">
      <div className="panel-head">
        <h2 id="embed-snippet">{t('Paste into your page')}</h2>
        <div className="embed-tools">
          <Segmented
            label={t('Sign-in')}
            options={ways.map((one) => ({ ...one, text: t(one.text) }))}
            value={way}
            onValue={setWay}
          />
          {isWhole && <CopyButton key={snippet} text={snippet} what={t('snippet')} {...copied} />}
        </div>
      </div>
      <Code text={snippet} label={t('The snippet')} />
      {way === 'server' && (
        <>
          <div className="embed-note embed-tools">
            <p>
              {t(
                'On your server, exchange the secret key of a mailbox for a session. The key stays on the server. The page gets the session, which allows only what this embed allows.',
              )}
            </p>
            <CopyButton key={sample} text={sample} what={t('server sample')} {...copied} />
          </div>
          <Code text={sample} label={t('The server sample')} />
        </>
      )}
      <p className="embed-note">
        {way === 'popup'
          ? t('People press a button in the page, sign in here and allow it for 15 minutes.')
          : t('Return sessions only to users who are signed in to your site.')}{' '}
        {t('The minimum height prevents layout shift while the widget loads.')}
      </p>
    </section>
  )
}

function Code({ text, label }: { text: string; label: string }) {
  return (
    <pre className="embed-code" tabIndex={0} role="region" aria-label={label}>
      {text}
    </pre>
  )
}
