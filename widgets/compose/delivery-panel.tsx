import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Session } from '../../client/http.ts'
import type { DeliveryState, Message } from '../../contract/message.ts'
import { Icon, type IconData } from '../kit/icon.tsx'
import { circleAlert, circleCheck, circleHelp, circleX, clock } from '../kit/icons.ts'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { createDeliveryStore } from './delivery-store.ts'
import { css } from './delivery.css'

const sheet = createSheet(css)

/** Each state's look and word. */
const looks: Readonly<Record<DeliveryState, { icon: IconData; tone: string; word: string }>> = {
  queued: { icon: clock, tone: 'open', word: 'Queued' },
  sending: { icon: clock, tone: 'open', word: 'Sending' },
  sent: { icon: circleCheck, tone: 'good', word: 'Sent' },
  deferred: { icon: clock, tone: 'warn', word: 'Deferred' },
  failed: { icon: circleX, tone: 'bad', word: 'Failed' },
  suppressed: { icon: circleAlert, tone: 'warn', word: 'Suppressed' },
  cancelled: { icon: circleX, tone: 'open', word: 'Cancelled' },
  unknown: { icon: circleHelp, tone: 'warn', word: 'Unknown' },
}

/** Where each recipient of the message just sent stands, live until all are settled. */
export function DeliveryPanel({ session, id }: { session: Session; id: string }) {
  useSheet(sheet)
  const [store] = useState(() => createDeliveryStore(session, id))
  useEffect(() => store.start(), [store])
  const { message, trouble } = useSnapshot(store.state)
  if (message === null) return <p className="side-note">{trouble ?? 'Asking where it stands...'}</p>

  const total = Object.values(message.counts).reduce((sum, count) => sum + count, 0)
  return (
    <div className="delivery">
      <div className="delivery-head">
        <div>
          <h2>{message.subject}</h2>
          <p role="status">{summary(message.counts, total)}</p>
        </div>
        <div className="delivery-bar" aria-hidden="true">
          <div style={{ scale: `${message.counts.sent / total} 1` }} />
        </div>
      </div>
      <ul>
        {message.deliveries.map(({ recipient, state, reply, next_attempt_at }) => {
          const { icon, tone, word } = looks[state]
          return (
            <li key={recipient}>
              <span className="delivery-to">{recipient}</span>
              <span className={`delivery-state ${tone}`}>
                <Icon of={icon} size={15} />
                {word}
              </span>
              {state !== 'sent' && reply && <span className="delivery-reply">{reply}</span>}
              {state === 'deferred' && next_attempt_at && (
                <span className="delivery-reply">Tries again at {timeOf(next_attempt_at)}</span>
              )}
            </li>
          )
        })}
      </ul>
      {total > message.deliveries.length && (
        <p className="side-note">
          The first {message.deliveries.length.toLocaleString()} of {total.toLocaleString()}
        </p>
      )}
      {trouble && <p className="side-note">{trouble}</p>}
    </div>
  )
}

function summary(counts: Readonly<Message['counts']>, total: number): string {
  const parts = Object.entries(counts).filter(([state, count]) => state !== 'sent' && count > 0)
  const rest = parts.map(([state, count]) => `${count.toLocaleString()} ${state}`)
  return [`Sent to ${counts.sent.toLocaleString()} of ${total.toLocaleString()}`, ...rest].join(' · ')
}

function timeOf(iso: string): string {
  return new Date(iso).toLocaleTimeString([], { timeStyle: 'short' })
}
