import { useId } from 'react'
import { useSnapshot } from 'valtio'
import { senders } from '../lib/compose-messages.ts'
import type { ComposeStore } from './composer.ts'

/** From: the configurations, each under its secret key (spec §2). Paused ones say so and cannot be chosen. */
export function SenderRow({ store, configsHref }: { store: ComposeStore; configsHref?: string | undefined }) {
  const { draft, configs } = useSnapshot(store.state, { sync: true })
  const id = useId()
  const hasRows = configs.items.length > 0
  const first = hasRows
    ? 'Select a sender'
    : configs.status === 'failed'
      ? senders.failed
      : configs.status === 'ready'
        ? senders.none
        : senders.loading
  return (
    <div className="row">
      <label htmlFor={id}>From</label>
      <span className="pick">
        <select id={id} value={hasRows ? draft.from : ''} onChange={(event) => store.choose(event.currentTarget.value)}>
          <option value="">{first}</option>
          {configs.items.map(({ id, email_address, provider, secret_key, status }) => (
            <option key={id} value={secret_key ?? ''} disabled={secret_key === null || status === 'paused'}>
              {email_address} · {status === 'paused' ? 'paused' : provider}
            </option>
          ))}
        </select>
      </span>
      {!hasRows && configs.status === 'failed' && (
        <button type="button" className="link" onClick={() => void store.reloadSenders()}>
          Try Again
        </button>
      )}
      {!hasRows && configs.status === 'ready' && configsHref && (
        <a className="link" href={configsHref}>
          Connect a mailbox
        </a>
      )}
    </div>
  )
}
