import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio'
import { Segmented } from '../kit/segmented.tsx'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { highlight } from '../lib/highlight.ts'
import { toPlainText } from '../lib/plain-text.ts'
import { sanitise } from '../lib/sanitise.ts'
import type { ComposeStore } from './compose-store.ts'
import { fillMessage } from './preview.ts'
import { css } from './preview.css'

const sheet = createSheet(css)

type Width = 'desktop' | 'phone' | 'text'
const widths = [
  { value: 'desktop', text: 'Desktop' },
  { value: 'phone', text: 'Phone' },
  { value: 'text', text: 'Plain text' },
] as const

/** The message as the first recipient gets it, live: sanitised, with its merge variables filled. */
export function PreviewPane({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const { draft, configs } = useSnapshot(store.state)
  const [width, setWidth] = useState<Width>('desktop')
  const { subject, html, problem } = fillMessage(draft.subject, draft.messageBody, draft.context)
  const from = configs.items.find((config) => config.secret_key === draft.from)?.email_address ?? 'no sender yet'
  const to = draft.recipients.find((recipient) => recipient.problem === null)?.text ?? 'no recipient yet'
  return (
    <>
      <div className="side-head">
        <Segmented label="Show the message as on" options={widths} value={width} onValue={setWidth} />
      </div>
      <div className={`sheet ${width}`}>
        <div className="sheet-head">
          <div className="sheet-subject">{subject || 'No subject yet'}</div>
          <div className="sheet-route">
            {from} to {to}
          </div>
        </div>
        {problem === null ? <Mail html={html} width={width} /> : <p className="sheet-problem">{problem}</p>}
      </div>
      {draft.recipients.length > 1 && (
        <p className="side-note">
          Preview as <b>{to}</b> · 1 of {draft.recipients.length.toLocaleString()}
        </p>
      )}
    </>
  )
}

/** The sanitised nodes themselves, put in by hand: a renderer would want HTML text, which a strict page refuses. */
function Mail({ html, width }: { html: string; width: Width }) {
  const place = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const nodes = sanitise(html, { styles: 'keep' })
    place.current?.replaceChildren(width === 'text' ? toPlainText(nodes) : nodes)
  }, [html, width])
  return <div className="mail" ref={place} role="document" aria-label="Message" tabIndex={0} />
}

/** A field for each merge variable of the message; its value goes to every recipient and into the preview. */
export function MergeValues({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const { draft } = useSnapshot(store.state, { sync: true })
  const { variables } = fillMessage(draft.subject, draft.messageBody, draft.context)
  if (variables.length === 0) return null
  return (
    <fieldset className="merge">
      <legend>Merge variables · one value for every recipient</legend>
      {variables.map(({ name, fallback }) => (
        <label key={name}>
          <code>{`{{${name}}}`}</code>
          <input
            value={draft.context[name] ?? ''}
            placeholder={fallback === '' ? 'no value: left empty' : fallback}
            onChange={(event) => store.setValue(name, event.currentTarget.value)}
          />
        </label>
      ))}
    </fieldset>
  )
}

/** The control's text again, in colours, exactly behind it; the control then shows its caret only. */
export function Paint({ text, control }: { text: string; control: { readonly current: HTMLElement | null } }) {
  useSheet(sheet)
  const paint = useRef<HTMLPreElement>(null)
  useEffect(() => {
    const element = control.current
    const follow = () => {
      paint.current?.scrollTo(element?.scrollLeft ?? 0, element?.scrollTop ?? 0)
    }
    follow()
    element?.addEventListener('scroll', follow)
    return () => element?.removeEventListener('scroll', follow)
  }, [control, text])
  return (
    <pre className="paint" aria-hidden="true" ref={paint}>
      {highlight(text).map(({ text: piece, kind }, at) => (
        <span key={at} className={kind}>
          {piece}
        </span>
      ))}
      {'\n'}
    </pre>
  )
}
