import { useDeferredValue } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../../../widgets/kit/icon.tsx'
import { plus, triangleAlert } from '../../../widgets/kit/icons.ts'
import { designVariables } from './design-variables.ts'
import type { DesignerStore } from './designer-store.ts'

/** What is used but not tagged, and tagged but not used; each can be put right with one press. */
export function VariablesPanel({ store, onInsert }: { store: DesignerStore; onInsert: (name: string) => void }) {
  const { design } = useSnapshot(store.state)
  const { subject, tags } = design
  const body = useDeferredValue(design.body)
  const { tagged, untagged, unused, problem } = designVariables({ subject, body, tags })
  if (tagged.length + untagged.length + unused.length === 0 && problem === null) return null
  return (
    <section className="variables" aria-label="Merge variables">
      {untagged.length > 0 && (
        <div className="variables-row warn">
          <h2>Used, but not tagged</h2>
          <ul>
            {untagged.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => store.addTags(name)} aria-label={`Add the tag ${name}`}>
                  <Icon of={plus} size={14} /> {name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unused.length > 0 && (
        <div className="variables-row">
          <h2>Tagged, but not used</h2>
          <ul>
            {unused.map((name) => (
              <li key={name}>
                <button type="button" onClick={() => onInsert(name)} aria-label={`Insert {{${name}}} into the body`}>
                  {`{{${name}}}`}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {tagged.length > 0 && untagged.length + unused.length === 0 && problem === null && (
        <p className="variables-fine">Every merge variable has a tag.</p>
      )}
      {problem && (
        <p className="variables-problem" role="status">
          <Icon of={triangleAlert} size={16} /> In the {problem.field}. {problem.text}
        </p>
      )}
    </section>
  )
}
