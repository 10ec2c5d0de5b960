import { useEffect, useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import type { Config, ConfigUsage } from '../../contract/mail/config.ts'
import { Banner } from '../kit/feedback/banner.tsx'
import { Button } from '../kit/form/button.tsx'
import { Dialog, DialogActions } from '../kit/overlay/dialog.tsx'
import { createSheet, useSheet } from '../kit/shadow/sheet.ts'
import { TextField } from '../kit/form/text-field.tsx'
import { limitsSaved } from '../lib/config-messages.ts'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { css } from './limits-dialog.css'
import { createLimitsStore, isAbove, problemOf, type LimitName } from './limits-store.ts'
import { richText } from '../kit/text/rich-text.tsx'
import { useText } from '../kit/text/text.tsx'

const sheet = createSheet(css)

const labels: Record<LimitName, string> = {
  limit_per_minute: 'Mails a minute',
  limit_per_day: 'Mails in 24 hours',
  limit_connections: 'Connections at a time',
}

export interface LimitsDialogProps {
  manager: ConfigManagerStore
  config: Config
  usage: ConfigUsage
  onClosed: () => void
}

/** What a mailbox may send: what is known of its provider, and what its owner sets in its place. */
export function LimitsDialog({ manager, config, usage, onClosed }: LimitsDialogProps) {
  useSheet(sheet)
  const t = useText()
  const [store] = useState(() =>
    manager.formStore('limits', () => createLimitsStore({ session: manager.session, usage })),
  )
  const { form, status, error, triedCount } = useSnapshot(store.state, { sync: true })
  const element = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (triedCount > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [triedCount])
  const known = usage.provider_limits
  const names = Object.keys(labels) as LimitName[]
  const provider = config.provider === 'other' ? t('this server') : config.provider
  const problemText = (name: LimitName) => {
    const problem = problemOf(name, form[name])
    return problem && t(problem.text, problem.values)
  }
  const field = (name: LimitName) => {
    const limit = known[name]
    return (
      <TextField
        key={name}
        name={name}
        label={t(labels[name])}
        inputMode="numeric"
        autoComplete="off"
        placeholder={limit === null ? t('No limit') : limit.toLocaleString(t.lang)}
        value={form[name]}
        hint={
          limit === null
            ? t('None is known of {provider}', { provider })
            : t('{number} for {provider}', { number: limit, provider })
        }
        problem={triedCount > 0 ? problemText(name) : null}
        onValue={(text) => store.write(name, text)}
      />
    )
  }
  return (
    <Dialog title={t('Sending limits')} onClosed={onClosed}>
      {(close) => {
        const submit = (event: SyntheticEvent) => {
          event.preventDefault()
          void store.save().then((isSaved) => {
            if (!isSaved) return
            close()
            void manager.limited({ text: limitsSaved, values: { address: config.email_address } })
          })
        }
        return (
          <form ref={element} className="limits" noValidate aria-label={t('Sending limits')} onSubmit={submit}>
            <p>
              {richText(t, '{address} never sends more than this. What is over waits, and leaves as soon as it may.', {
                address: <b>{config.email_address}</b>,
              })}
            </p>
            {status === 'failed' && <Banner kind="error" title={t(error ?? '')} />}
            {names.map(field)}
            {names.some((name) => isAbove(form[name], known[name])) && (
              <p className="above" role="status">
                {t('More than {provider} is known to take: it may refuse mails, or lock the mailbox.', { provider })}
              </p>
            )}
            <div>
              <Button size="small" disabled={names.every((name) => form[name] === '')} onClick={() => store.reset()}>
                {t('Reset to defaults')}
              </Button>
            </div>
            <DialogActions>
              <Button onClick={close}>{t('Cancel')}</Button>
              <Button kind="primary" type="submit" busy={status === 'saving'}>
                {t('Save limits')}
              </Button>
            </DialogActions>
          </form>
        )
      }}
    </Dialog>
  )
}
