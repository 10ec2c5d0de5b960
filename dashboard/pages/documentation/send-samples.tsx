import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import { proxy } from 'valtio/vanilla'
import { mailboxList, type MailboxRows } from '../../../client/mail/mailbox-list.ts'
import { CopyButton } from '../../../widgets/kit/form/copy-button.tsx'
import { Segmented } from '../../../widgets/kit/form/segmented.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { maskSecretKey } from '../../../widgets/lib/mask.ts'
import { useApp } from '../../app.ts'
import { codeSamples, keyPlaceholder } from '../../content/code-samples.ts'
import { richText } from '../../../widgets/kit/text/rich-text.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

const nobodys: MailboxRows = proxy({ status: 'idle', items: [], error: null })

/**
 * The send call in five languages. The samples contain the user's own key: masked on the screen, complete when copied.
 */
export function SendSamples({ baseUrl }: { baseUrl: string }) {
  const t = useText()
  const { session, notify } = useApp()
  const { user } = useSnapshot(session.state)
  const isMember = user?.confirmed_email === true
  const list = isMember ? mailboxList(session) : null
  useEffect(() => void list?.load(), [list])
  const { items } = useSnapshot(list?.state ?? nobodys)
  const keyed = items.filter(({ secret_key }) => secret_key !== null)
  const [language, setLanguage] = useState('curl')
  const [chosenId, setChosenId] = useState<string | null>(null)
  const config = keyed.find(({ id }) => id === chosenId) ?? keyed[0]
  const key = config?.secret_key ?? null
  const codeWith = (shown?: string) =>
    codeSamples(baseUrl, shown).find((sample) => sample.language === language)?.code ?? ''
  return (
    <>
      {config && keyed.length > 1 && (
        <div className="docs-key">
          <SelectField
            label={t('Mailbox of the secret key')}
            options={keyed.map(({ id, email_address: text }) => ({ value: id, text }))}
            value={config.id}
            onValue={setChosenId}
          />
        </div>
      )}
      <div className="docs-tools">
        <Segmented
          label={t('Language')}
          options={codeSamples(baseUrl).map((sample) => ({ value: sample.language, text: sample.language }))}
          value={language}
          onValue={setLanguage}
        />
        <CopyButton
          key={`${language} ${config?.id ?? ''}`}
          text={codeWith(key ?? undefined)}
          what={t('{language} sample', { language })}
          onCopied={() => undefined}
          onFailed={() => notify({ kind: 'error', text: t('Failed to copy') })}
        />
      </div>
      <pre tabIndex={0} aria-label={t('{language} sample', { language })}>
        {codeWith(key === null ? undefined : maskSecretKey(key))}
      </pre>
      <p>
        {config
          ? richText(
              t,
              'Contains the secret key of {mailbox}: masked here, complete in the copied text. Keep it on your server.',
              { mailbox: <b>{config.email_address}</b> },
            )
          : richText(
              t,
              'Replace {placeholder} with the secret key of a mailbox: {link} and copy its key. Keep the key on your server.',
              {
                placeholder: <code>{keyPlaceholder}</code>,
                link: <a href="/dashboard/email_config">{t('connect one')}</a>,
              },
            )}
      </p>
    </>
  )
}
