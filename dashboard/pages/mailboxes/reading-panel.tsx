import { useCallback, useEffect, useState } from 'react'
import { errorText, type CallOptions } from '../../../client/core/http.ts'
import { getReading, startReadingConsent } from '../../../client/inbox/reading.ts'
import { updateEmailConfig } from '../../../client/mail/config-owner.ts'
import { listEmailConfigs } from '../../../client/mail/config.ts'
import type { Reading } from '../../../contract/inbox/reading.ts'
import type { Config, ConfigChanges } from '../../../contract/mail/config.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { createSheet, useSheet } from '../../../widgets/kit/shadow/sheet.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { useApp } from '../../app.ts'
import { useLoaded } from '../../kit/use-loaded.ts'
import { css } from './reading-panel.css'
import { ReadingDialog } from './reading-dialog.tsx'
import { ReadingState } from './reading-state.tsx'

const sheet = createSheet(css)
const refreshMs = 5000
const mailboxesMaxCount = 100

interface MailboxReading {
  config: Config
  reading: Reading
}

/** Reading of replies and bounces, mailbox by mailbox. */
export function ReadingPanel() {
  useSheet(sheet)
  const t = useText()
  useSheet(sheet)
  const { session, notify } = useApp()
  const load = useCallback(
    async (options: CallOptions): Promise<MailboxReading[]> => {
      const { items } = await listEmailConfigs(session, { limit: mailboxesMaxCount }, options)
      return Promise.all(
        items.map(async (config) => ({ config, reading: await getReading(session, config.id, options) })),
      )
    },
    [session],
  )
  const { loaded, reload } = useLoaded(load)
  const [asked, setAsked] = useState<MailboxReading | null>(null)
  const [busyId, setBusyId] = useState<string | null>(null)
  useEffect(() => {
    const timer = setInterval(reload, refreshMs)
    return () => clearInterval(timer)
  }, [reload])

  /** Resolves to whether it was done. */
  const act = async (id: string, work: () => Promise<unknown>): Promise<boolean> => {
    setBusyId(id)
    try {
      await work()
      return true
    } catch (error) {
      notify({ kind: 'error', text: errorText(error) ?? '' })
      return false
    } finally {
      setBusyId(null)
      reload()
    }
  }
  const change = (id: string, changes: ConfigChanges) => act(id, () => updateEmailConfig(session, id, changes))
  const consent = (id: string) =>
    act(id, async () => {
      location.assign((await startReadingConsent(session, id)).url)
    })

  if (loaded.status !== 'ready' || loaded.value.length === 0) return null
  return (
    <section className="panel reading-panel" id="reading" aria-label={t('Replies and bounces')}>
      <h2>{t('Replies and bounces')}</h2>
      <p>
        {t(
          'A mailbox that is read shows its replies in Replies, and addresses that bounce are suppressed. Nothing in the mailbox is changed.',
        )}
      </p>
      <ul>
        {loaded.value.map((mailbox) => (
          <li key={mailbox.config.id} aria-label={mailbox.config.email_address}>
            <div>
              <b>{mailbox.config.email_address}</b>
              <ReadingState reading={mailbox.reading} />
            </div>
            <Acts
              mailbox={mailbox}
              isBusy={busyId === mailbox.config.id}
              onAsk={() => setAsked(mailbox)}
              onChange={(changes) => void change(mailbox.config.id, changes)}
              onConsent={() => void consent(mailbox.config.id)}
            />
          </li>
        ))}
      </ul>
      <p className="reading-note">
        {t(
          'Who reports complaints: Yahoo to owners of a DKIM domain, Microsoft’s programme to owners of an IP address, Gmail not at all.',
        )}
      </p>
      {asked && (
        <ReadingDialog
          config={asked.config}
          reading={asked.reading}
          isBusy={busyId !== null}
          onTurnOn={(changes) => change(asked.config.id, changes).then(() => true)}
          onClosed={() => setAsked(null)}
        />
      )}
    </section>
  )
}

interface ActsProps {
  mailbox: MailboxReading
  isBusy: boolean
  onAsk: () => void
  onChange: (changes: ConfigChanges) => void
  onConsent: () => void
}

/** What the owner can do in the state of reading. */
function Acts({ mailbox: { config, reading }, isBusy, onAsk, onChange, onConsent }: ActsProps) {
  const t = useText()
  if (reading.state === 'needs_consent') {
    return (
      <Button busy={isBusy} onClick={onConsent}>
        {t('Allow reading')}
      </Button>
    )
  }
  if (!reading.is_reading) {
    if (!reading.can_read && config.provider !== 'other') return null
    return (
      <Button busy={isBusy} onClick={onAsk}>
        {t('Turn on reading')}
      </Button>
    )
  }
  const isStopped = reading.state === 'refused' || reading.state === 'failing'
  return (
    <>
      {isStopped && (
        <Button busy={isBusy} onClick={() => onChange({ reading: true })}>
          {t('Try Again')}
        </Button>
      )}
      <Button busy={isBusy} onClick={() => onChange({ reading: false })}>
        {t('Stop reading')}
      </Button>
    </>
  )
}
