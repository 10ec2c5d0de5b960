import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Snapshot } from 'valtio/vanilla'
import { mergeContexts } from '../../../contract/core/variable-names.ts'
import { Segmented } from '../../kit/form/segmented.tsx'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { useModule } from '../../kit/use-module.ts'
import type { DrawnPiece } from '../../lib/draw-mail.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import { toPlainText } from '../../lib/plain-text.ts'
import { sanitise } from '../../lib/sanitise.ts'
import type { AudienceState, ComposeState, Draft } from '../compose-state.ts'
import type { ComposeStore, SentSourcePart } from '../compose-types.ts'
import { PreviewAs } from './preview-as.tsx'
import { VariableFixButton } from '../variables/variable-fix.tsx'
import { fillMessage } from './preview.ts'
import { css } from './preview.css'
import { TestSend } from './test-send.tsx'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

type Width = 'desktop' | 'phone' | 'text'
const widths = [
  { value: 'desktop', text: 'Desktop' },
  { value: 'phone', text: 'Phone' },
  { value: 'text', text: 'Plain text' },
] as const

const noSource = () => Promise.reject<SentSourcePart>(new Error('This page does not show it.'))

/** The message as one of the recipients gets it, live: sanitised, with its merge variables filled. */
export function PreviewPane({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft, audience, configs, hide, footer } = useSnapshot(store.state)
  const sentSource = useModule(store.loadSentSource ?? noSource, store.loadSentSource !== undefined).module
  const [width, setWidth] = useState<Width>('desktop')
  const [chosen, setChosen] = useState('')
  const { people, total } = peopleOf(draft, audience)
  const reader = people.find(({ text }) => text === chosen) ?? people[0]
  const { subject, preheader, html, problem } = fillFor(draft, footer, reader)
  const sender = configs.items.find((config) => config.secret_key === draft.from)?.email_address
  const problemNote = problem !== null && (
    <div className="sheet-problem">
      {t(problem)} <VariableFixButton store={store} />
    </div>
  )
  if (hide.includes('preview')) return problemNote
  return (
    <>
      <div className="side-head">
        <Segmented
          label={t('Show the message as on')}
          options={widths.map(({ value, text }) => ({ value, text: t(text) }))}
          value={width}
          onValue={setWidth}
        />
        {store.testAddress !== undefined && !store.loadExtras && !hide.includes('test-send') && (
          <TestSend store={store} address={store.testAddress || (sender ?? '')} values={reader?.context ?? {}} />
        )}
      </div>
      <div className={`sheet ${width}`}>
        <SheetHead
          subject={subject}
          preheader={preheader}
          sender={sender}
          name={draft.fields?.fromName}
          to={reader?.text}
        />
        <Mail html={html} width={width} />
      </div>
      {people.length > 1 && reader && (
        <PreviewAs store={store} readers={people} total={total} reader={reader} onReader={setChosen} />
      )}
      {sentSource && draft.mode === 'html' && <sentSource.SentSource store={store} reader={reader} />}
      {problemNote}
    </>
  )
}

/** The mail in the list of an inbox, and from whom to whom it goes. */
function SheetHead({
  subject,
  preheader,
  sender,
  name,
  to,
}: Record<'subject' | 'preheader', string> & Record<'sender' | 'name' | 'to', string | undefined>) {
  const t = useMessages()
  const own = name?.trim() ?? ''
  const shownSender = own === '' ? sender : own
  return (
    <div className="sheet-head">
      <div className="sheet-inbox" role="group" aria-label={t('In the inbox')}>
        {shownSender !== undefined && (
          <div className="sheet-from" translate="no">
            {shownSender}
          </div>
        )}
        <div className="sheet-subject" translate={subject === '' ? undefined : 'no'}>
          {subject || t('No subject yet')}
        </div>
        {preheader !== '' && (
          <div className="sheet-preheader" translate="no">
            {preheader}
          </div>
        )}
      </div>
      <div className="sheet-route">
        {t('{sender} to {recipient}', {
          sender: sender ?? t('no sender yet'),
          recipient: to ?? t('no recipient yet'),
        })}
      </div>
    </div>
  )
}

/** Values that everyone gets; for a reader of whom nothing is known, preview values as well. */
function shownContext({ context, samples }: Snapshot<Draft>, reader: Recipient | undefined): Record<string, string> {
  if (reader?.context) return context
  const given = Object.fromEntries(Object.entries(context).filter(([, value]) => value !== ''))
  return { ...samples, ...given }
}

/** As the recipient gets it, with what the server adds. */
function fillFor(draft: Snapshot<Draft>, footer: Snapshot<ComposeState['footer']>, reader: Recipient | undefined) {
  const values = { ...footer?.values, ...mergeContexts(shownContext(draft, reader), reader?.context) }
  return fillMessage(draft.subject, draft.messageBody + (footer?.html ?? ''), values, draft.preheader)
}

/** The recipients, then those people of the lists and segments that are loaded; and how many there are altogether. */
function peopleOf(
  { recipients, audience }: Snapshot<Draft>,
  known: Snapshot<AudienceState> | undefined,
): { people: readonly Recipient[]; total: number } {
  const people = uniqueRecipients(recipients)
  if (!audience?.[0] || !known) return { people, total: people.length }
  const keys = new Set(people.map(({ key }) => key))
  const all = [...people, ...known.readers.filter(({ key }) => !keys.has(key))]
  return { people: all, total: Math.max(all.length, known.counted?.count ?? 0) }
}

/** HTML from this length on follows a moment after the typing, so that the typing never waits for it. */
const longChars = 20_000
/** How long typing rests before a long message is drawn that has to be drawn as a whole. */
const restMs = 150
/** Drawing piece by piece is quick where a message is long, and leaves its pictures where they are. */
const loadPieces = () => import('./preview-pieces.ts')

/** The sanitised nodes themselves, put in by hand: a renderer would want HTML text, which a strict page refuses. */
function Mail({ html, width }: { html: string; width: Width }) {
  const t = useMessages()
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<DrawnPiece[]>([])
  const [isBlank, setBlank] = useState(false)
  const isLong = html.length > longChars
  const { module } = useModule(loadPieces, isLong || html.includes('<img'))
  const { drawPieces, isCut } = (width === 'text' ? undefined : module) ?? {}
  const draw = useCallback(() => {
    if (place.current === null) return
    if (drawPieces) drawn.current = drawPieces(place.current, drawn.current, html, sanitise)
    else {
      const mail = sanitise(html)
      drawn.current = []
      place.current.replaceChildren(width === 'text' ? toPlainText(mail) : mail)
    }
    setBlank(html !== '' && !place.current.firstChild)
  }, [html, width, drawPieces])
  useLayoutEffect(() => {
    if (!isLong) draw()
  }, [draw, isLong])
  useEffect(() => {
    if (!isLong) return
    const timer = setTimeout(draw, isCut?.(html) === false ? restMs : 0)
    return () => clearTimeout(timer)
  }, [draw, isLong, isCut, html])
  return (
    <>
      <div
        className="mail"
        dir="ltr"
        translate="no"
        ref={place}
        role="document"
        aria-label={t('Message')}
        tabIndex={0}
      />
      {isBlank && <p className="sheet-problem">{t('This HTML has no preview.')}</p>}
    </>
  )
}
