import { useState } from 'react'
import { useSnapshot } from 'valtio'
import { Button } from '../../kit/form/button.tsx'
import { createDeliveryActs } from './delivery-acts-store.ts'
import type { ProgressStore } from './progress-store.ts'
import { useText } from '../../kit/text/text.tsx'

/** What can still be done about what was launched. `listHref` leads to the list of suppressions, where there is one. */
export function DeliveryActions({ store, listHref }: { store: ProgressStore; listHref: string | undefined }) {
  const t = useText()
  const { counts, campaign, act } = useSnapshot(store.state)
  const acts = createDeliveryActs(store)
  const [asks, setAsks] = useState(false)
  /** What a retry says of those it left out. */
  const [note, setNote] = useState<string | null>(null)
  const failed = counts.failed ?? 0
  const waiting = (counts.queued ?? 0) + (counts.deferred ?? 0)
  const status = campaign?.status
  const isMoving = status === 'sending' || status === 'scheduled' || status === 'preparing'
  const isOpen = isMoving || status === 'paused'
  const busy = act === 'busy'

  const cancel = () => {
    setAsks(false)
    void acts.cancel()
  }

  if (failed === 0 && !isOpen) return null
  return (
    <>
      <div className="delivery-actions">
        {failed > 0 && status !== 'cancelled' && (
          <Button size="small" disabled={busy} onClick={() => void acts.retry(setNote)}>
            {t('Retry {number} failed', { number: failed })}
          </Button>
        )}
        {isMoving && (
          <Button size="small" disabled={busy} onClick={() => void acts.pause()}>
            {t('Pause')}
          </Button>
        )}
        {status === 'paused' && (
          <Button size="small" disabled={busy} onClick={() => void acts.resume()}>
            {t('Resume')}
          </Button>
        )}
        {isOpen && !asks && (
          <Button size="small" kind="quiet" disabled={busy} onClick={() => setAsks(true)}>
            {t('Cancel campaign')}
          </Button>
        )}
        {isOpen && asks && (
          <span role="alert">
            {t('{number} recipients will not receive it, and it cannot be resumed.', { number: waiting })}{' '}
            <Button size="small" onClick={() => setAsks(false)}>
              {t('Keep it')}
            </Button>{' '}
            <Button size="small" disabled={busy} onClick={cancel}>
              {t('Cancel it')}
            </Button>
          </span>
        )}
      </div>
      {note && (
        <p className="delivery-note" role="alert">
          {t(note)} {listHref && <a href={listHref}>{t('See the list')}</a>}
        </p>
      )}
    </>
  )
}
