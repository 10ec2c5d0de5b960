import { useId, type ReactNode } from 'react'

/** Things to choose among, under one heading. */
export function Choices({
  legend,
  problem,
  children,
}: {
  legend: string
  problem?: string | undefined
  children: ReactNode
}) {
  const id = useId()
  return (
    <fieldset className="choices" aria-describedby={problem === undefined ? undefined : id}>
      <legend>{legend}</legend>
      {children}
      {problem !== undefined && (
        <p className="problem" id={id}>
          {problem}
        </p>
      )}
    </fieldset>
  )
}

export interface ChoiceProps {
  kind: 'checkbox' | 'radio'
  label: string
  text?: string
  isOn: boolean
  isWrong?: boolean
  /** Of the group, for `radio`. */
  name?: string
  onPick: () => void
}

/** One of them: its box, its name, and what it means. */
export function Choice({ kind, label, text, isOn, isWrong = false, name, onPick }: ChoiceProps) {
  const id = useId()
  return (
    <div className="choice">
      <input
        id={id}
        type={kind}
        name={name}
        checked={isOn}
        aria-invalid={isWrong || undefined}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        onChange={onPick}
      />
      <label htmlFor={id}>{label}</label>
      {text !== undefined && <p id={`${id}-text`}>{text}</p>}
    </div>
  )
}
