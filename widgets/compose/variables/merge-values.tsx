import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { emptyVariables, given } from './empty-variables.ts'
import { css } from './merge-values.css'
import { fillMessage } from '../preview/preview.ts'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

/** A field for each merge variable of the message; its value goes to every recipient that has none of its own. */
export function MergeValues({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft } = useSnapshot(store.state, { sync: true })
  const all = fillMessage(draft.subject, draft.messageBody, draft.context).variables
  const variables = all.filter(({ name }) => !given.test(name))
  if (variables.length === 0) return null
  const empty = new Map(emptyVariables(draft).map(({ name, count }) => [name, count]))
  const own = (name: string) => uniqueRecipients(draft.recipients).filter(({ context }) => context?.[name]).length
  return (
    <fieldset className="merge">
      <legend>{t('Merge variables · one value for every recipient')}</legend>
      {variables.map(({ name, fallback }) => (
        <div key={name} className="merge-row">
          <label>
            <code>{`{{${name}}}`}</code>
            <input
              value={draft.context[name] ?? ''}
              placeholder={placeholderOf(t, fallback, own(name))}
              onChange={(event) => store.write({ context: { ...draft.context, [name]: event.currentTarget.value } })}
            />
          </label>
          {empty.has(name) && (
            <span className="merge-empty">{t('empty for {number}', { number: empty.get(name) ?? 0 })}</span>
          )}
        </div>
      ))}
    </fieldset>
  )
}

function placeholderOf(t: ReturnType<typeof useMessages>, fallback: string, ownCount: number): string {
  if (ownCount > 0) return t('{number} have their own', { number: ownCount })
  return fallback === '' ? t('no value: left empty') : fallback
}
