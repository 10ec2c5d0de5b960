import { useSnapshot } from 'valtio'
import { ConfirmDialog } from '../kit/confirm-dialog.tsx'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { LimitsDialog } from './limits-dialog.tsx'

/** What is asked about a mailbox: fetched when the first question comes. */
export function ConfigDialog({ store }: { store: ConfigManagerStore }) {
  const { asked, act, usage } = useSnapshot(store.state)
  if (asked === null) return null
  const { what, config } = asked
  const onClosed = () => store.ask(null)
  if (what === 'limits') {
    const used = usage[config.id]
    return used && <LimitsDialog manager={store} config={config} usage={used} onClosed={onClosed} />
  }
  const asking = {
    busy: act?.what === what,
    onAct: () => store.act({ ...config }, what),
    onClosed,
  }
  if (what === 'rotate') {
    return (
      <ConfirmDialog {...asking} title="New secret key" act="Make new key" kind="primary">
        <p>
          <b>{config.email_address}</b> gets another secret key. The present one works for 24 hours more: put the new
          one into your code within that time.
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog {...asking} title="Delete Confirmation" act="Delete">
      <p>
        <b>{config.email_address}</b> will be disconnected: its secret key stops working at once, and what it has not
        sent yet is cancelled. This cannot be undone.
      </p>
    </ConfirmDialog>
  )
}
