import { useState } from 'react'
import { sandboxAddress } from '../../../contract/mail/config.limits.ts'
import type { Config, ConfigChanges } from '../../../contract/mail/config.ts'
import type { Reading } from '../../../contract/inbox/reading.ts'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { ConfirmDialog } from '../../../widgets/kit/overlay/confirm-dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'

type Security = 'tls' | 'starttls'

/** Asks before a mailbox is read: what is read, what is kept; of a provider without a table entry also its IMAP server. */
export function ReadingDialog({
  config,
  reading,
  isBusy,
  onTurnOn,
  onClosed,
}: {
  config: Pick<Config, 'email_address' | 'provider'>
  reading: Reading
  isBusy: boolean
  /** Resolves to whether it is on. */
  onTurnOn: (changes: ConfigChanges) => Promise<boolean>
  onClosed: () => void
}) {
  const t = useText()
  const [host, setHost] = useState(reading.imap?.host ?? '')
  const [security, setSecurity] = useState<Security>(reading.imap?.security === 'starttls' ? 'starttls' : 'tls')
  const hasServer = config.provider === 'other' && config.email_address !== sandboxAddress
  const changes = (): ConfigChanges => {
    if (!hasServer) return { reading: true }
    const name = host.trim()
    if (name === '') return { reading: true, imap_host: null, imap_port: null, imap_security: null }
    const isSame = name === reading.imap?.host && security === reading.imap.security
    if (isSame) return { reading: true }
    return { reading: true, imap_host: name, imap_port: security === 'tls' ? 993 : 143, imap_security: security }
  }
  return (
    <ConfirmDialog
      title={t('Turn on reading for {address}', { address: config.email_address })}
      act={t('Turn on reading')}
      busy={isBusy}
      kind="primary"
      onAct={() => onTurnOn(changes())}
      onClosed={onClosed}
    >
      <p>
        {t(
          'INBOX, the junk folder and the sent folder are read from now on. Nothing is changed: no mail is moved, marked or deleted. Only mails that answer yours are kept, as text, for 13 months; of all others only a count.',
        )}
      </p>
      {hasServer && (
        <div className="reading-server">
          <TextField
            label={t('IMAP server')}
            value={host}
            placeholder={t('Derived from the mail server if left empty')}
            autoComplete="off"
            onValue={setHost}
          />
          <SelectField
            label={t('Security')}
            value={security}
            options={[
              { value: 'tls', text: t('TLS, port 993') },
              { value: 'starttls', text: t('STARTTLS, port 143') },
            ]}
            onValue={(value) => setSecurity(value as Security)}
          />
        </div>
      )}
    </ConfirmDialog>
  )
}
