import { useSnapshot } from 'valtio'
import { createSheet, useSheet } from '../../kit/shadow/sheet.ts'
import { uniqueRecipients } from '../../lib/unique-recipients.ts'
import type { ComposeStore } from '../compose-types.ts'
import { emptyVariables, given, ownCount } from './empty-variables.ts'
import { css } from './merge-values.css'
import { VariableFixButton } from './variable-fix.tsx'
import { fillMessage } from '../preview/preview.ts'
import { useMessages } from '../../kit/text/text.tsx'

const sheet = createSheet(css)

/** A field for each merge variable of the message; its value goes to every recipient that has none of its own. */
export function MergeValues({ store }: { store: ComposeStore }) {
  useSheet(sheet)
  const t = useMessages()
  const { draft } = useSnapshot(store.state, { sync: true })
  const all = fillMessage(draft.subject, draft.messageBody, draft.context, draft.preheader).variables
  const variables = all.filter(({ name }) => !given.test(name))
  const fix = <VariableFixButton store={store} />
  if (variables.length === 0) return fix
  const empty = new Map(emptyVariables(draft).map(({ name, count }) => [name, count]))
  const people = uniqueRecipients(draft.recipients)
  return (
    <fieldset className="merge">
      <legend>{t('Value for recipients without their own')}</legend>
      {fix}
      {variables.map(({ name, fallback }) => {
        const count = ownCount(people, name)
        return (
          <div key={name} className="merge-row">
            <label>
              <code>{`{{${name}}}`}</code>
              <input
                value={draft.context[name] ?? ''}
                placeholder={fallback === '' ? t('no value: left empty') : fallback}
                onChange={(event) => store.write({ context: { ...draft.context, [name]: event.currentTarget.value } })}
              />
            </label>
            {count > 0 && <span className="merge-own">{t('{number} have their own', { number: count })}</span>}
            {empty.has(name) && (
              <span className="merge-empty">{t('empty for {number}', { number: empty.get(name) ?? 0 })}</span>
            )}
          </div>
        )
      })}
    </fieldset>
  )
}
