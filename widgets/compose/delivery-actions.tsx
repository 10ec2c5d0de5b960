import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { retryMessage } from '../../client/message.ts'
import { Button } from '../kit/button.tsx'
import type { ProgressStore } from './progress-store.ts'

/** The calls of campaigns: fetched with the first act on one. */
const campaigns = () => import('../../client/campaign.ts')

/** What can still be done about what was launched. `listHref` leads to the list of suppressions, where there is one. */
export function DeliveryActions({ store, listHref }: { store: ProgressStore; listHref: string | undefined }) {
  const { counts, campaign, act } = useSnapshot(store.state)
  const { session, launched } = store
  const [asks, setAsks] = useState(false)
  /** What a retry says of those it left out. */
  const [note, setNote] = useState<string | null>(null)
  const failed = counts.failed ?? 0
  const waiting = (counts.queued ?? 0) + (counts.deferred ?? 0)
  const status = campaign?.status
  const isMoving = status === 'sending' || status === 'scheduled'
  const isOpen = isMoving || status === 'paused'
  const busy = act === 'busy'

  const retry = () =>
    store.act(async () => {
      setNote(null)
      const send = launched.kind === 'message' ? retryMessage : (await campaigns()).retryEmailCampaign
      const { suppressed, message } = await send(session, launched.id)
      if (suppressed > 0) setNote(message)
    })
  const move = (name: 'pauseEmailCampaign' | 'resumeEmailCampaign' | 'cancelEmailCampaign') =>
    void store.act(async () => (await campaigns())[name](session, launched.id))
  const cancel = () => {
    setAsks(false)
    move('cancelEmailCampaign')
  }

  if (failed === 0 && !isOpen) return null
  return (
    <>
      <div className="delivery-actions">
        {failed > 0 && status !== 'cancelled' && (
          <Button data-needs="owner" size="small" disabled={busy} onClick={() => void retry()}>
            Retry {failed.toLocaleString()} failed
          </Button>
        )}
        {isMoving && (
          <Button size="small" disabled={busy} onClick={() => move('pauseEmailCampaign')}>
            Pause
          </Button>
        )}
        {status === 'paused' && (
          <Button size="small" disabled={busy} onClick={() => move('resumeEmailCampaign')}>
            Resume
          </Button>
        )}
        {isOpen && !asks && (
          <Button size="small" kind="quiet" disabled={busy} onClick={() => setAsks(true)}>
            Cancel campaign
          </Button>
        )}
        {isOpen && asks && (
          <span role="alert">
            {waiting.toLocaleString()} will get nothing, and it cannot be taken up again.{' '}
            <Button size="small" onClick={() => setAsks(false)}>
              Keep it
            </Button>{' '}
            <Button size="small" disabled={busy} onClick={cancel}>
              Cancel it
            </Button>
          </span>
        )}
      </div>
      {note && (
        <p className="delivery-note" role="alert">
          {note} {listHref && <a href={listHref}>See the list</a>}
        </p>
      )}
    </>
  )
}
