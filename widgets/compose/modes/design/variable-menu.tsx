import { useId, useState } from 'react'
import type { Design } from '../../../../contract/design/design.ts'
import { useText } from '../../../kit/text/text.tsx'
import { variablesIn } from './document/variables.ts'

/** Offers the variables that the mail uses, and those of every contact. */
export function VariableMenu({ design, onPick }: { design: Design; onPick: (name: string, fallback: string) => void }) {
  const t = useText()
  const id = useId()
  // Read when they are looked for: a large mail takes a while.
  const [names, setNames] = useState<ReturnType<typeof variablesIn>>([])
  const look = () => setNames(variablesIn(design))
  return (
    <span className="variable-menu">
      <select
        id={id}
        aria-label={t('Insert a variable')}
        title={t('Insert a variable')}
        value=""
        onFocus={look}
        onPointerDown={look}
        onChange={(event) => {
          const found = names.find(({ name }) => name === event.currentTarget.value)
          if (found) onPick(found.name, found.fallback)
        }}
      >
        <option value="">{'{{ }}'}</option>
        {names.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
