import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { List } from '../../../contract/audience/list.ts'
import { listDescriptionMaxChars, listNameMaxChars } from '../../../contract/audience/list.limits.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { focusField } from '../auth/focus-field.ts'
import type { ListsStore } from './lists-store.ts'

/** Name and description of a list; of a new one where `list` is null. */
export function ListDialog({ store, list }: { store: ListsStore; list: List | null }) {
  const t = useText()
  const { isSaving, problem } = useSnapshot(store.state)
  const [name, setName] = useState(list?.name ?? '')
  const [description, setDescription] = useState(list?.description ?? '')
  const [isMissing, setIsMissing] = useState(false)
  return (
    <Dialog title={list === null ? t('New list') : t('Rename this list')} onClosed={() => store.open(null)}>
      {(close) => (
        <form
          noValidate
          className="list-form"
          onSubmit={(event) => {
            event.preventDefault()
            const form = event.currentTarget
            const texts = { name: name.trim(), description: description.trim() }
            setIsMissing(texts.name === '')
            if (texts.name === '') focusField(form, 'name')
            else void store.save(texts).then((isDone) => (isDone ? close() : focusField(form, 'name')))
          }}
        >
          <TextField
            name="name"
            label={t('Name')}
            hint={t('Contacts see the name of a public list.')}
            problem={isMissing ? t('Enter a name') : (problem ?? undefined)}
            maxLength={listNameMaxChars}
            autoComplete="off"
            value={name}
            onValue={(value) => {
              setName(value)
              setIsMissing(false)
            }}
          />
          <TextArea
            name="description"
            label={t('Description')}
            hint={t('What its members get, and how often. You can leave it empty.')}
            rows={3}
            maxLength={listDescriptionMaxChars}
            value={description}
            onValue={setDescription}
          />
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={isSaving}>
              {list === null ? t('Make the list') : t('Save')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
