import { useId } from 'react'
import { Button } from '../../kit/form/button.tsx'
import type { Recipient } from '../../lib/recipients.ts'
import { useMessages } from '../../kit/text/text.tsx'

/** Of how many recipients the list of suggestions holds at most. */
const suggestionsCount = 50

/** Whose mail the preview shows: one after the other, or found by its address. */
export function PreviewAs({
  readers,
  reader,
  onReader,
}: {
  readers: readonly Recipient[]
  reader: Recipient
  onReader: (address: string) => void
}) {
  const t = useMessages()
  const id = useId()
  const at = readers.indexOf(reader)
  const step = (by: number) => onReader(readers[(at + by + readers.length) % readers.length]?.text ?? '')
  const find = (text: string) => {
    const found = readers.find((one) => one.text === text)
    if (found) onReader(found.text)
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
      <span className="preview-at">{t('{number} of {total}', { number: at + 1, total: readers.length })}</span>
      <Button size="small" kind="quiet" aria-label={t('Preview the recipient before')} onClick={() => step(-1)}>
        ‹
      </Button>
      <Button size="small" kind="quiet" aria-label={t('Preview the next recipient')} onClick={() => step(1)}>
        ›
      </Button>
    </div>
  )
}
