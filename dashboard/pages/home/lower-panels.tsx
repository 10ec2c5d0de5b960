import { CampaignsPanel } from './campaigns-panel.tsx'
import type { HomeStore } from './home-store.ts'
import { MailboxesPanel } from './mailboxes-panel.tsx'
import { MessagesPanel } from './messages-panel.tsx'

/** The panels below the figures. */
export function LowerPanels({ store }: { store: HomeStore }) {
  return (
    <>
      <CampaignsPanel store={store} />
      <div className="home-side">
        <MailboxesPanel store={store} />
        <MessagesPanel store={store} />
      </div>
    </>
  )
}
