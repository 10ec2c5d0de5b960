import { useId } from 'react'
import { Button } from '../../kit/form/button.tsx'
import type { ComposeStore } from '../compose-types.ts'
import type { Recipient } from '../../lib/recipients.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** Of how many recipients the list of suggestions holds at most. */
const suggestionsCount = 50

/** Whose mail the preview shows: one after the other, or found by its address. */
export function PreviewAs({
  store,
  readers,
  total,
  reader,
  onReader,
}: {
  store: ComposeStore
  readers: readonly Recipient[]
  /** How many there are, those that are not loaded included. */
  total: number
  reader: Recipient
  onReader: (address: string) => void
}) {
  const t = useMessages()
  const id = useId()
  const at = readers.indexOf(reader)
  const step = async (by: number) => {
    const isBeyond = at + by === readers.length && readers.length < total
    if (isBeyond) await store.findReaders?.()
    const keys = new Set(readers.map(({ key }) => key))
    const loaded = isBeyond ? store.state.audience?.readers.find(({ key }) => !keys.has(key)) : undefined
    onReader((loaded ?? readers[(at + by + readers.length) % readers.length])?.text ?? '')
  }
  const find = (text: string) => {
    const found = readers.find((one) => one.text === text)
    if (found) onReader(found.text)
    else void store.findReaders?.(text)
  }
  return (
    <div className="preview-as">
      <label htmlFor={id}>{t('Preview as')}</label>
      <input
        key={reader.text}
        id={id}
        list={`${id}-list`}
        defaultValue={reader.text}
        autoComplete="off"
        spellCheck={false}
        onInput={(event) => find(event.currentTarget.value)}
      />
      <datalist id={`${id}-list`}>
        {readers.slice(0, suggestionsCount).map(({ text }, index) => (
          <option key={index} value={text} />
        ))}
      </datalist>
      <span className="preview-at">{t('{number} of {total}', { number: at + 1, total })}</span>
      <Button size="small" kind="quiet" aria-label={t('Preview the recipient before')} onClick={() => void step(-1)}>
        ‹
      </Button>
      <Button size="small" kind="quiet" aria-label={t('Preview the next recipient')} onClick={() => void step(1)}>
        ›
      </Button>
    </div>
  )
}
