import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { subscribe } from 'valtio/vanilla'
import type { DeliveryState } from '../../../contract/mail/message.ts'
import { Button } from '../../kit/form/button.tsx'
import { Icon, type IconData } from '../../kit/icon/icon.tsx'
import { circleAlert, circleCheck, circleHelp, circleX, clock, x } from '../../kit/icon/icons.ts'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useModule } from '../../kit/use-module.ts'
import type { ComposeState, Launched } from '../compose-state.ts'
import type { ComposeStore } from '../compose-types.ts'
import { css } from './progress.css'
import type { Figures } from './follow-figures.ts'
import { createProgressStore, type Counts, type ProgressStore } from './progress-store.ts'
import type { Translate } from '../../lib/messages/messages.ts'
import type { MessageId, PlainMessageId } from '../../lib/messages/messages-es.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** What can still be done: by owners only, so that most pages of others never need it. */
const loadActions = () => import('./delivery-actions.tsx')

const sheet = createSheet(css)

/** Each state's look and word. */
const looks: Readonly<Record<DeliveryState, { icon: IconData; tone: string; word: PlainMessageId }>> = {
  queued: { icon: clock, tone: 'open', word: 'Queued' },
  sending: { icon: clock, tone: 'open', word: 'Sending' },
  sent: { icon: circleCheck, tone: 'good', word: 'Sent' },
  deferred: { icon: clock, tone: 'warn', word: 'Deferred' },
  failed: { icon: circleX, tone: 'bad', word: 'Failed' },
  suppressed: { icon: circleAlert, tone: 'warn', word: 'Suppressed' },
  cancelled: { icon: circleX, tone: 'open', word: 'Cancelled' },
  unknown: { icon: circleHelp, tone: 'warn', word: 'Unknown' },
}
const states = Object.keys(looks) as DeliveryState[]
const shownMaxCount = 200
/** How long it stays after the last delivery, in ms; longer while it is hovered or focused, or where its figures move. */
const leaveAfterMs = 10_000

/** Live delivery states of the last launch, with the actions that remain. */
export function Progress({
  store: composer,
  launched,
  hasList = true,
}: {
  store: Pick<ComposeStore, 'session' | 'set' | 'suppressionsHref' | 'launchedHref'> &
    Partial<Pick<ComposeStore, 'state'>>
  launched: Launched
  /** false where the page has a list of the recipients of its own. */
  hasList?: boolean
}) {
  useSheet(sheet)
  const t = useMessages()
  const [store] = useState(() => createProgressStore(composer.session, launched, !composer.launchedHref))
  useEffect(() => {
    return store.start()
  }, [store])
  const { subject, counts, campaign, trouble, status, figures } = useSnapshot(store.state)
  const actions = useModule(loadActions, (counts.failed ?? 0) > 0 || campaign !== null)
  const place = useRef<HTMLElement>(null)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const leaves = hasList && status === 'settled' && !counts.failed && figures === null
  // One line, where a page shows the rest.
  const isLine = leaves && composer.launchedHref !== undefined
  useEffect(() => {
    if (!leaves) return
    // A reload does not bring it back.
    if (!launched.isOver) composer.set({ launched: { ...launched, isOver: true } })
    const leave = () => composer.set({ launched: null })
    const timer = setInterval(() => {
      if (!place.current?.matches(':hover, :focus-within')) leave()
    }, leaveAfterMs)
    const stop = composer.state && onEdit(composer.state, leave)
    return () => {
      clearInterval(timer)
      stop?.()
    }
  }, [leaves, composer, launched])

  return (
    <section className={isLine ? 'delivery line' : 'delivery'} aria-label={t('Progress')} ref={place}>
      <div className="delivery-head">
        <div>
          {isLine || <h2 translate={subject === null ? undefined : 'no'}>{subject ?? t('Loading...')}</h2>}
          <p role="status">{summary(t, counts, total, { campaign, status })}</p>
          {hasList && <ToLaunched href={composer.launchedHref?.(launched)} kind={launched.kind} />}
        </div>
        <Button
          kind="quiet"
          size="small"
          icon={x}
          aria-label={t('Close the progress')}
          onClick={() => composer.set({ launched: null })}
        />
        {isLine || <Bar counts={counts} total={total} />}
      </div>
      <Opens figures={figures} />
      {actions.module && !isLine && (
        <actions.module.DeliveryActions store={store} listHref={composer.suppressionsHref} />
      )}
      {trouble && <p className="delivery-note">{t(trouble)}</p>}
      {hasList && !isLine && <Recipients store={store} kind={launched.kind} total={total} />}
    </section>
  )
}

function ToLaunched({ href, kind }: { href: string | undefined; kind: Launched['kind'] }) {
  const t = useMessages()
  if (href === undefined) return null
  return (
    <a className="delivery-link" href={href}>
      {t(kind === 'campaign' ? 'Open the campaign' : 'Open the message')}
    </a>
  )
}

function Opens({ figures }: { figures: Figures | null }) {
  const t = useMessages()
  if (figures === null) return null
  return (
    <p className="delivery-note" role="status">
      {t('{opened} opened · {clicked} clicked', { ...figures })}
    </p>
  )
}

/** How much of it is sent. */
function Bar({ counts, total }: { counts: Readonly<Counts>; total: number }) {
  return (
    <div className="delivery-bar" aria-hidden="true">
      <div style={{ scale: `${total === 0 ? 0 : (counts.sent ?? 0) / total} 1` }} />
    </div>
  )
}

/** Calls back when what is written changes; the sender and what the page fills in are no edit. Returns the undo. */
function onEdit(state: ComposeState, edited: () => void): () => void {
  const read = () => {
    const { subject, preheader, messageBody, text, recipients } = state.draft
    return [subject, preheader, messageBody, text, recipients, state.entry]
  }
  const before = read()
  return subscribe(state, () => {
    if (read().some((value, at) => value !== before[at])) edited()
  })
}

/** The recipients, those of one state where one is chosen. */
function Recipients({ store, kind, total }: { store: ProgressStore; kind: Launched['kind']; total: number }) {
  const t = useMessages()
  const { counts, rows, shown } = useSnapshot(store.state)
  const list = kind === 'message' && shown ? rows.filter(({ state }) => state === shown) : rows
  const listCount = shown ? (counts[shown] ?? 0) : total
  const shownCount = Math.min(list.length, shownMaxCount)
  return (
    <>
      {total > 1 && (
        <div className="delivery-states" role="group" aria-label={t('Show recipients')}>
          <button type="button" aria-pressed={shown === null} onClick={() => store.show(null)}>
            {t('All {number}', { number: total })}
          </button>
          {states
            .filter((state) => counts[state])
            .map((state) => (
              <button key={state} type="button" aria-pressed={shown === state} onClick={() => store.show(state)}>
                {t(looks[state].word)} {counts[state]?.toLocaleString(t.lang)}
              </button>
            ))}
        </div>
      )}
      <ul tabIndex={0} aria-label={t('Recipients')}>
        {list.slice(0, shownMaxCount).map(({ recipient, state, reply, next_attempt_at }) => {
          const { icon, tone, word } = looks[state]
          return (
            <li key={recipient}>
              <span className="delivery-to" translate="no">
                {recipient}
              </span>
              <span className={`delivery-state ${tone}`}>
                <Icon of={icon} size={15} />
                {t(word)}
              </span>
              {state !== 'sent' && reply && (
                <span className="delivery-reply" translate="no">
                  {reply}
                </span>
              )}
              {state === 'deferred' && next_attempt_at && (
                <span className="delivery-reply">
                  {t('Next attempt at {time}', { time: timeOf(t, next_attempt_at) })}
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {shownCount > 0 && listCount > shownCount && (
        <p className="delivery-note">{t('The first {number} of {total}', { number: shownCount, total: listCount })}</p>
      )}
    </>
  )
}

const statusWords: Readonly<Record<string, PlainMessageId>> = {
  preparing: 'Preparing',
  paused: 'Paused',
  cancelled: 'Cancelled',
  failed: 'Failed',
}

function summary(
  t: Translate<MessageId>,
  counts: Readonly<Counts>,
  total: number,
  { campaign, status }: Readonly<Pick<ProgressStore['state'], 'campaign' | 'status'>>,
): string {
  if (status === 'gone') return t('It no longer exists.')
  const parts = Object.entries(counts).filter(([state, count]) => state !== 'sent' && count > 0)
  const rest = parts.map(([state, number]) =>
    t(`{number} ${state as Exclude<DeliveryState, 'sent'>}` as const, { number }),
  )
  const word = statusWords[campaign?.status ?? '']
  const starts =
    campaign?.status === 'scheduled' &&
    campaign.scheduledAt &&
    t('Starts {time} ({zone})', {
      time: timeOf(t, campaign.scheduledAt),
      zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    })
  const ends = campaign?.finishesAt && t('last mail leaves {time}', { time: timeOf(t, campaign.finishesAt) })
  const sent = t('Sent to {number} of {total}', { number: counts.sent ?? 0, total })
  return [word && t(word), starts, sent, ...rest, ends].filter(Boolean).join(' · ')
}

/** The time of day; with its day where that is another one. */
function timeOf({ lang }: Pick<Translate<never>, 'lang'>, iso: string): string {
  const at = new Date(iso)
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString(lang, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
}
