import { useState } from 'react'
import { fieldKeyMaxChars, fieldLabelMaxChars } from '../../../contract/audience/contact.limits.ts'
import type { ContactField } from '../../../contract/audience/contact-field.ts'
import { fieldTypes, type FieldType } from '../../../contract/audience/segment-rule.ts'
import { Button } from '../../../widgets/kit/form/button.tsx'
import { SelectField } from '../../../widgets/kit/form/select-field.tsx'
import { TextArea } from '../../../widgets/kit/form/text-area.tsx'
import { TextField } from '../../../widgets/kit/form/text-field.tsx'
import { Dialog, DialogActions } from '../../../widgets/kit/overlay/dialog.tsx'
import { useText } from '../../../widgets/kit/text/text.tsx'
import { focusField } from '../auth/focus-field.ts'
import { fieldTypeLabels } from '../contacts/contact-text.ts'
import type { CallProblems } from '../contacts/call-problems.ts'
import { keyOf, type FieldsStore } from './fields-store.ts'

interface Props {
  store: FieldsStore
  /** The one to be changed; null for a new one. */
  field: (Pick<ContactField, 'no' | 'label' | 'key' | 'type'> & { choices: readonly string[] }) | null
  onSaved: (label: string) => void
  onClosed: () => void
}

/** Adds a field, or changes its label, its name in mails and its choices. */
export function FieldDialog({ store, field, onSaved, onClosed }: Props) {
  const t = useText()
  const [label, setLabel] = useState(field?.label ?? '')
  const [ownKey, setOwnKey] = useState(field?.key ?? null)
  const [type, setType] = useState<FieldType>(field?.type ?? 'text')
  const [choices, setChoices] = useState(field?.choices.join('\n') ?? '')
  const [problems, setProblems] = useState<CallProblems>({})
  const [busy, setBusy] = useState(false)
  const key = ownKey ?? keyOf(label)

  const save = async (form: HTMLFormElement): Promise<boolean> => {
    let found: CallProblems | null = label.trim() === '' ? { label: t('Enter a label') } : null
    if (found === null) {
      setBusy(true)
      const lines = choices.split('\n').filter((line) => line.trim() !== '')
      found = await store.save(field?.no ?? null, { label: label.trim(), key, type, choices: lines })
      setBusy(false)
    }
    setProblems(found ?? {})
    if (found === null) return true
    focusField(form, Object.keys(found)[0] ?? 'key')
    return false
  }

  return (
    <Dialog title={field ? t('Change field') : t('New field')} onClosed={onClosed}>
      {(close) => (
        <form
          noValidate
          className="fields-form"
          onSubmit={(event) => {
            event.preventDefault()
            void save(event.currentTarget).then((isSaved) => {
              if (!isSaved) return
              onSaved(label.trim())
              close()
            })
          }}
        >
          <TextField
            name="label"
            label={t('Label')}
            maxLength={fieldLabelMaxChars}
            autoComplete="off"
            problem={problems['label']}
            value={label}
            onValue={setLabel}
          />
          <TextField
            name="key"
            label={t('Name in mails')}
            hint={t('Lower case letters, digits and _. Mails show the value at {placeholder}.', {
              placeholder: `{{${key || 'name'}}}`,
            })}
            maxLength={fieldKeyMaxChars}
            autoComplete="off"
            spellCheck={false}
            problem={problems['key']}
            value={key}
            onValue={setOwnKey}
          />
          {field === null && (
            <SelectField
              name="type"
              label={t('Type')}
              value={type}
              options={fieldTypes.map((one) => ({ value: one, text: t(fieldTypeLabels[one]) }))}
              onValue={(value) => setType(value as FieldType)}
            />
          )}
          {type === 'choice' && (
            <TextArea
              name="choices"
              label={t('Choices')}
              hint={t('One per line')}
              rows={4}
              problem={problems['choices']}
              value={choices}
              onValue={setChoices}
            />
          )}
          <DialogActions>
            <Button onClick={close}>{t('Cancel')}</Button>
            <Button kind="primary" type="submit" busy={busy}>
              {field ? t('Save') : t('Add field')}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
