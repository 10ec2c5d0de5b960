import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { ContactStatus } from '../../../contract/audience/contact.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { focusField } from '../auth/focus-field.ts'
import type { ColumnChoice, ColumnId } from './columns.ts'
import { memberLabels, statusLabels } from './contact-text.ts'
import type { ContactsStore } from './contacts-store.ts'
import { FieldValueInput } from './field-value-input.tsx'

/** Chooses what the contacts are narrowed to. */
export function FilterDialog({ store, onClosed }: { store: ContactsStore; onClosed: () => void }) {
  const t = useText()
  const { filter, lists, segments, fields } = useSnapshot(store.state)
  const [{ status, list, member, segment, field, value }, setChosen] = useState({ ...filter })
  const chosenField = fields.find(({ no }) => String(no) === field)
  const set = (change: Partial<typeof filter>) => setChosen((known) => ({ ...known, ...change }))
  const named = (all: readonly { id: string; name: string }[]) => [
    { value: '', text: t('Any') },
    ...all.map(({ id, name }) => ({ value: id, text: name })),
  ]
  return (
    <Dialog title={t('Filter contacts')} onClosed={onClosed}>
      {(close) => (
        <form
          className="contacts-form"
          onSubmit={(event) => {
            event.preventDefault()
            const isValued = chosenField !== undefined && value.trim() !== ''
            void store.find({
              status,
              list,
              member: list === '' ? '' : member,
              segment,
              field: isValued ? field : '',
              value: isValued ? value.trim() : '',
            })
            close()
          }}
        >
          <SelectField
            label={t('Status')}
            value={status}
            options={[
              { value: '', text: t('Any') },
              ...Object.entries(statusLabels).map(([one, { word }]) => ({ value: one, text: t(word) })),
            ]}
            onValue={(chosen) => set({ status: chosen as ContactStatus | '' })}
          />
          <SelectField
            label={t('List')}
            value={list}
            options={named(lists)}
            onValue={(chosen) => set({ list: chosen })}
          />
          {list !== '' && (
            <SelectField
              label={t('Members')}
              value={member}
              options={Object.entries(memberLabels).map(([one, word]) => ({ value: one, text: t(word) }))}
              onValue={(chosen) => set({ member: chosen as typeof member })}
            />
          )}
          <SelectField
            label={t('Segment')}
            value={segment}
            options={named(segments)}
            onValue={(chosen) => set({ segment: chosen })}
          />
          <SelectField
            label={t('Field')}
            value={field}
            options={[
              { value: '', text: t('Any') },
              ...fields.map(({ no, label }) => ({ value: String(no), text: label })),
            ]}
            onValue={(chosen) => set({ field: chosen, value: '' })}
          />
          {chosenField && (
            <FieldValueInput
              field={chosenField}
              label={t('{field} is', { field: chosenField.label })}
              value={value}
              onValue={(given) => set({ value: given })}
            />
          )}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit">
              {t('Apply')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

interface ColumnsDialogProps {
  choices: readonly ColumnChoice[]
  shown: readonly ColumnChoice[]
  onChosen: (ids: ColumnId[]) => void
  onClosed: () => void
}

/** Chooses the columns of the table. */
export function ColumnsDialog({ choices, shown, onChosen, onClosed }: ColumnsDialogProps) {
  const t = useText()
  const ids = shown.map(({ id }) => id)
  return (
    <Dialog title={t('Columns')} onClosed={onClosed}>
      {(close) => (
        <>
          <p>{t('Name, address and status are always shown.')}</p>
          <ul className="contacts-columns">
            {choices.map(({ id, label, field }) => (
              <li key={id}>
                <label>
                  <input
                    type="checkbox"
                    checked={ids.includes(id)}
                    onChange={(event) =>
                      onChosen(event.currentTarget.checked ? [...ids, id] : ids.filter((one) => one !== id))
                    }
                  />
                  {field ? label : t(label)}
                </label>
              </li>
            ))}
          </ul>
          <DialogActions>
            <Button kind="primary" onClick={close}>
              {t('Done')}
            </Button>
          </DialogActions>
        </>
      )}
    </Dialog>
  )
}

interface SaveSegmentProps {
  store: ContactsStore
  onSaved: (id: string) => void
  onClosed: () => void
}

/** Keeps the filter as a segment. */
export function SaveSegmentDialog({ store, onSaved, onClosed }: SaveSegmentProps) {
  const t = useText()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const save = async (form: HTMLFormElement) => {
    if (name.trim() === '') {
      setProblem(t('Enter a name'))
      focusField(form, 'name')
      return
    }
    setBusy(true)
    const result = await store.saveSegment(name.trim())
    setBusy(false)
    if ('id' in result) {
      onSaved(result.id)
      return
    }
    setProblem(result.problem)
    focusField(form, 'name')
  }
  return (
    <Dialog title={t('Save as segment')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          className="contacts-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save(event.currentTarget)
          }}
        >
          <TextField
            name="name"
            label={t('Name')}
            hint={t('The segment always has the people who match these filters at the time.')}
            problem={problem}
            value={name}
            onValue={setName}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {t('Save')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
