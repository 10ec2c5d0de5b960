import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { senders } from '../../lib/compose-messages.ts'
import type { ComposeStore } from '../compose-types.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** From: the configurations, each under its secret key (spec §2). Paused ones say so and cannot be chosen. */
export function SenderRow({ store, configsHref }: { store: ComposeStore; configsHref?: string | undefined }) {
  const t = useMessages()
  const { draft, configs, readonly } = useSnapshot(store.state, { sync: true })
  const id = useId()
  // No `disabled`: a disabled list cannot be reached with the keyboard to be read.
  const isFixed = readonly.includes('from')
  const options = isFixed ? configs.items.filter(({ secret_key }) => secret_key === draft.from) : configs.items
  const hasRows = configs.items.length > 0
  return (
    <div className="row">
      <label htmlFor={id}>{t('From')}</label>
      <span className="pick">
        <select
          id={id}
          aria-disabled={isFixed || undefined}
          value={hasRows ? draft.from : ''}
          onChange={(event) => store.choose(event.currentTarget.value)}
        >
          {(!isFixed || !options[0]) && (
            <option value="">{t(hasRows ? 'Select a sender' : senders[configs.status])}</option>
          )}
          {options.map(({ id, email_address, provider, secret_key, status }) => (
            <option key={id} value={secret_key ?? ''} disabled={secret_key === null || status === 'paused'}>
              {email_address} · {status === 'paused' ? t('paused') : t(provider as string)}
            </option>
          ))}
        </select>
      </span>
      {!hasRows && configs.status === 'failed' && (
        <button type="button" className="link" onClick={() => void store.reloadSenders()}>
          {t('Try Again')}
        </button>
      )}
      {!hasRows && configs.status === 'ready' && configsHref && (
        <a className="link" href={configsHref}>
          {t('Connect a mailbox')}
        </a>
      )}
    </div>
  )
}
