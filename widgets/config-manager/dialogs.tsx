import { useSnapshot } from 'valtio'
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx'
import type { ConfigManagerStore } from './config-manager-store.ts'
import { LimitsDialog } from './limits-dialog.tsx'
import { richText } from '../kit/text/rich-text.tsx'
import { useMessages, useText } from '../kit/text/text.tsx'

/** What is asked about a mailbox: fetched when the first question comes. */
export function ConfigDialog({ store }: { store: ConfigManagerStore }) {
  const t = useMessages()
  const owner = useText()
  const { asked, acts, usage } = useSnapshot(store.state)
  if (asked === null) return null
  const { what, config } = asked
  const onClosed = () => store.ask(null)
  if (what === 'limits') {
    const used = usage[config.id]
    return used && <LimitsDialog manager={store} config={config} usage={used} onClosed={onClosed} />
  }
  const asking = {
    busy: acts.includes(`${what} ${config.id}`),
    onAct: () => store.act({ ...config }, what),
    onClosed,
  }
  if (what === 'rotate') {
    return (
      <ConfirmDialog {...asking} title={owner('New secret key')} act={owner('Make new key')} kind="primary">
        <p>
          {richText(
            owner,
            '{address} gets another secret key. The present one works for 24 hours more: put the new one into your code within that time.',
            { address: <b>{config.email_address}</b> },
          )}
        </p>
      </ConfirmDialog>
    )
  }
  return (
    <ConfirmDialog {...asking} title={t('Delete Confirmation')} act={t('Delete')}>
      <p>
        {richText(
          t,
          '{address} will be disconnected: its secret key stops working at once, and its queued mail is cancelled. This cannot be undone.',
          { address: <b>{config.email_address}</b> },
        )}
      </p>
    </ConfirmDialog>
  )
}
