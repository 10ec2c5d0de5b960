import { useId, type ReactNode } from 'react'

/** Attributes of a control that has its name from the row's columns. */
export interface ControlAttributes {
  'aria-label': string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A control of a rule with what is wrong with its value below it. */
export function RuleControl({
  label,
  problem,
  className = 'rule-control',
  children,
}: {
  label: string
  problem?: string | null | undefined
  className?: string
  children: (control: ControlAttributes) => ReactNode
}) {
  const id = useId()
  return (
    <span className={className}>
      {children({
        'aria-label': label,
        'aria-describedby': problem ? id : undefined,
        'aria-invalid': problem ? true : undefined,
      })}
      {problem && (
        <span className="rule-problem" id={id}>
          {problem}
        </span>
      )}
    </span>
  )
}
