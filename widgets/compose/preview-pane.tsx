import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Segmented } from '../kit/segmented.tsx'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { toPlainText } from '../lib/plain-text.ts'
import { sanitise } from '../lib/sanitise.ts'
import type { ComposeStore } from './composer.ts'
import { PreviewAs } from './preview-as.tsx'
import { cutMail } from '../lib/mail-pieces.ts'
import { fillMessage } from './preview.ts'
import { css } from './preview.css'
import { TestSend } from './test-send.tsx'

const sheet = createSheet(css)

type Width = 'desktop' | 'phone' | 'text'
const widths = [
  { value: 'desktop', text: 'Desktop' },
  { value: 'phone', text: 'Phone' },
  { value: 'text', text: 'Plain text' },
] as const

/** The message as one of the recipients gets it, live: sanitised, with its merge variables filled. */
export function PreviewPane({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const { draft, configs } = useSnapshot(store.state)
  const [width, setWidth] = useState<Width>('desktop')
  const [chosen, setChosen] = useState('')
  const good = draft.recipients.filter((recipient) => recipient.problem === null)
  const reader = good.find(({ text }) => text === chosen) ?? good[0]
  const values = reader?.context ? { ...draft.context, ...reader.context } : draft.context
  const { subject, html, problem } = fillMessage(draft.subject, draft.messageBody, values)
  const sender = configs.items.find((config) => config.secret_key === draft.from)?.email_address
  return (
    <>
      <div className="side-head">
        <Segmented label="Show the message as on" options={widths} value={width} onValue={setWidth} />
        {store.testAddress !== undefined && (
          <TestSend store={store} address={store.testAddress || (sender ?? '')} values={reader?.context ?? {}} />
        )}
      </div>
      <div className={`sheet ${width}`}>
        <div className="sheet-head">
          <div className="sheet-subject" translate={subject === '' ? undefined : 'no'}>
            {subject || 'No subject yet'}
          </div>
          <div className="sheet-route">
            {sender ?? 'no sender yet'} to {reader?.text ?? 'no recipient yet'}
          </div>
        </div>
        {problem === null ? <Mail html={html} width={width} /> : <p className="sheet-problem">{problem}</p>}
      </div>
      {good.length > 1 && reader && <PreviewAs readers={good} reader={reader} onReader={setChosen} />}
    </>
  )
}

/** HTML from this length on follows a moment after the typing, so that the typing never waits for it. */
const longChars = 20_000

/** The sanitised nodes themselves, put in by hand: a renderer would want HTML text, which a strict page refuses. */
function Mail({ html, width }: { html: string; width: Width }) {
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<Piece[]>([])
  const isLong = html.length > longChars
  useLayoutEffect(() => {
    if (!isLong && place.current) drawn.current = draw(place.current, html, width, drawn.current)
  }, [html, width, isLong])
  useEffect(() => {
    if (!isLong) return
    const timer = setTimeout(() => {
      if (place.current) drawn.current = draw(place.current, html, width, drawn.current)
    })
    return () => clearTimeout(timer)
  }, [html, width, isLong])
  return <div className="mail" dir="ltr" translate="no" ref={place} role="document" aria-label="Message" tabIndex={0} />
}

/** A part of the message as it stands in the preview. */
interface Piece {
  source: string
  nodes: ChildNode[]
}

/** Draws what has changed since `before`, and leaves the rest as it stands. */
function draw(place: HTMLElement, html: string, width: Width, before: readonly Piece[]): Piece[] {
  if (width === 'text') {
    place.replaceChildren(toPlainText(sanitise(html, { styles: 'keep' })))
    return []
  }
  const sources = cutMail(html)
  if (before.length === 0) place.replaceChildren()
  let head = 0
  while (head < before.length && before[head]?.source === sources[head]) head++
  let tail = 0
  const most = Math.min(before.length, sources.length) - head
  while (tail < most && before.at(-1 - tail)?.source === sources.at(-1 - tail)) tail++
  const kept = before.slice(before.length - tail)
  const next = kept.flatMap(({ nodes }) => nodes)[0] ?? null
  for (const { nodes } of before.slice(head, before.length - tail)) for (const node of nodes) node.remove()
  const made = sources.slice(head, sources.length - tail).map((source): Piece => {
    const nodes = sanitise(source, { styles: 'keep' })
    const piece = { source, nodes: [...nodes.childNodes] }
    place.insertBefore(nodes, next)
    return piece
  })
  return [...before.slice(0, head), ...made, ...kept]
}
