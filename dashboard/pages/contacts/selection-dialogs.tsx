import { useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio'
import type { FieldType } from '../../../contract/audience/segment-rule.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import type { ContactsStore } from './contacts-store.ts'
import { FieldValueInput } from './field-value-input.tsx'
import type { SelectionStore } from './selection-store.ts'

interface Props {
  store: ContactsStore
  selection: SelectionStore
  /** Selected contacts. */
  number: number
  onClosed: () => void
}

/** Chooses the list that the selected contacts join; `from` is the list that they leave for it. */
export function ToListDialog({
  store,
  selection,
  from,
  number,
  onClosed,
}: Props & { from?: { id: string; name: string } | undefined }) {
  const t = useText()
  const { lists } = useSnapshot(store.state)
  const others = lists.filter((one) => one.id !== from?.id)
  const [id, setId] = useState(others[0]?.id ?? '')
  return (
    <ActDialog
      title={from ? t('Move from {list}', { list: from.name }) : t('Add to list')}
      act={
        from
          ? t('Move {count} contact|Move {count} contacts', { count: number })
          : t('Add {count} contact|Add {count} contacts', { count: number })
      }
      canAct={id !== ''}
      onAct={() => (from ? selection.moveToList(id, from.id) : selection.addToList(id))}
      onClosed={onClosed}
    >
      {others.length === 0 ? (
        <p>
          {from ? t('There is no other list yet.') : t('There is no list yet.')}{' '}
          <a href="/dashboard/lists">{t('Create one')}</a>
        </p>
      ) : (
        <SelectField
          label={t('List')}
          hint={t('People who unsubscribed from the list stay unsubscribed.')}
          value={id}
          options={others.map((one) => ({ value: one.id, text: one.name }))}
          onValue={setId}
        />
      )}
    </ActDialog>
  )
}

/** Gives the selected contacts one value of a field. */
export function SetFieldDialog({ store, selection, number, onClosed }: Props) {
  const t = useText()
  const { fields } = useSnapshot(store.state)
  const [key, setKey] = useState(fields[0]?.key ?? '')
  const [value, setValue] = useState('')
  const field = fields.find((one) => one.key === key)
  return (
    <ActDialog
      title={t('Set field')}
      act={t('Change {count} contact|Change {count} contacts', { count: number })}
      canAct={field !== undefined}
      onAct={() => selection.setField(key, valueOf(field?.type ?? 'text', value))}
      onClosed={onClosed}
    >
      <SelectField
        label={t('Field')}
        value={key}
        options={fields.map((one) => ({ value: one.key, text: one.label }))}
        onValue={(chosen) => {
          setKey(chosen)
          setValue('')
        }}
      />
      {field && (
        <FieldValueInput
          field={field}
          label={t('New value')}
          hint={t('Without a value, the value that they have is removed.')}
          value={value}
          onValue={setValue}
        />
      )}
    </ActDialog>
  )
}

function valueOf(type: FieldType, text: string): string | number | boolean | null {
  if (text.trim() === '') return null
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text.trim()
}

interface ActDialogProps {
  title: string
  act: string
  canAct: boolean
  onAct: () => Promise<unknown>
  onClosed: () => void
  children: ReactNode
}

function ActDialog({ title, act, canAct, onAct, onClosed, children }: ActDialogProps) {
  const t = useText()
  return (
    <Dialog title={title} onClosed={onClosed}>
      {(close) => (
        <form
          className="contacts-form"
          onSubmit={(event) => {
            event.preventDefault()
            void onAct()
            close()
          }}
        >
          {children}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" disabled={!canAct}>
              {act}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
