import { useRef, useState, type SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../kit/banner.tsx'
import { Button } from '../kit/button.tsx'
import { Dialog, DialogActions } from '../kit/dialog.tsx'
import { createSheet, useSheet } from '../kit/sheet.ts'
import { TextArea } from '../kit/text-area.tsx'
import { TextField } from '../kit/text-field.tsx'
import { createFailed, createProblems } from '../lib/template-messages.ts'
import { css } from './create-dialog.css'
import { createCreateStore, problemsOf, type CreateField } from './create-store.ts'
import type { TemplatePickerStore } from './template-picker-store.ts'

const sheet = createSheet(css)

/** Asks for subject, body and context tags of a new template (spec §2), and saves it. */
export function CreateDialog({ store: picker, onClosed }: { store: TemplatePickerStore; onClosed: () => void }) {
  useSheet(sheet)
  const [store] = useState(() => picker.createStore(() => createCreateStore(picker, picker.draft)))
  const state = useSnapshot(store.state, { sync: true })
  const form = useRef<HTMLFormElement>(null)
  const missing = problemsOf(state)
  const field = (name: CreateField) => ({
    name,
    value: state[name],
    required: true,
    problem: state.shownProblems.includes(name) && missing.includes(name) ? createProblems[name] : null,
    onValue: (value: string) => store.write(name, value),
  })
  const submit = async (event: SyntheticEvent, close: () => void) => {
    event.preventDefault()
    if (await store.submit()) close()
    else form.current?.querySelector<HTMLElement>(`[name=${store.state.shownProblems[0] ?? 'none'}]`)?.focus()
  }
  return (
    <Dialog title="Create Template" onClosed={onClosed}>
      {(close) => (
        <form ref={form} className="create" noValidate onSubmit={(event) => void submit(event, close)}>
          <TextField {...field('subject')} label="Subject" />
          <TextArea {...field('body')} label="Body" rows={8} spellCheck hint="HTML" />
          <TextField
            {...field('tags')}
            label="Context tags"
            placeholder="first_name, company"
            hint="Names of the merge variables, comma-separated"
            autoCapitalize="off"
          />
          {state.status === 'failed' && (
            <Banner kind="error" title={createFailed}>
              {state.error}
            </Banner>
          )}
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind="primary" type="submit" busy={state.status === 'saving'}>
              {state.status === 'saving' ? 'Creating...' : 'Create Template'}
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}
