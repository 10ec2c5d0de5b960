import type { ReactNode, SyntheticEvent } from 'react'
import { useSnapshot } from 'valtio'
import { Banner } from '../../../widgets/kit/feedback/banner.tsx'
import { Button, type ButtonKind } from '../../../widgets/kit/form/button.tsx'
import { focusField } from '../auth/focus-field.ts'
import type { FormStore } from './form-store.ts'

interface FieldProps {
  name: string
  value: string
  problem: string | undefined
  onValue: (value: string) => void
}

/** One form of the profile: its fields, its outcome and its button. `children` draws the fields. */
export function ProfileForm<Values extends Record<string, string>>({
  store,
  label,
  act,
  saved,
  kind = 'secondary',
  beside,
  children,
}: {
  store: FormStore<Values>
  label: string
  /** What the button does. */
  act: string
  /** Message after success. */
  saved: string
  kind?: ButtonKind
  /** Shown before the button. */
  beside?: ReactNode
  children: (field: (name: keyof Values & string) => FieldProps) => ReactNode
}) {
  const { status, values, problems, error } = useSnapshot(store.state, { sync: true })
  const field = (name: keyof Values & string): FieldProps => ({
    name,
    value: (values as Values)[name] ?? '',
    problem: (problems as Partial<Record<string, string>>)[name],
    onValue: (value) => store.write(name, value as Values[typeof name]),
  })
  const submit = (event: SyntheticEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    void store.submit().then(() => {
      const [first] = Object.keys(store.state.problems)
      if (first !== undefined) focusField(form, first)
    })
  }
  return (
    <form className="profile-form" aria-label={label} noValidate onSubmit={submit}>
      {children(field)}
      {status === 'failed' && <Banner kind="error" title={error} />}
      <div className="profile-act">
        {beside}
        <Button type="submit" kind={kind} busy={status === 'saving'}>
          {act}
        </Button>
        <span role="status">{status === 'saved' && saved}</span>
      </div>
    </form>
  )
}
