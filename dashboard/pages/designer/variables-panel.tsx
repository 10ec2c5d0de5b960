import { useDeferredValue, useMemo } from 'react'
import { useSnapshot } from 'valtio'
import { Icon } from '../../../widgets/kit/icon/icon.tsx'
import { plus, triangleAlert } from '../../../widgets/kit/icon/icons.ts'
import { designVariables } from './design-variables.ts'
import type { DesignerStore } from './designer-store.ts'
import { useText } from '../../../widgets/kit/text/text.tsx'

/** Variables that are used but not tagged, or tagged but not used, each with a fix. */
export function VariablesPanel({
  store,
  onInsert,
}: {
  store: DesignerStore
  /** Inserts a variable into the body; null where the body is no code. */
  onInsert: ((name: string) => void) | null
}) {
  const t = useText()
  const { design } = useSnapshot(store.state)
  const { subject, tags } = design
  const body = useDeferredValue(design.body)
  const { tagged, untagged, unused, problem } = useMemo(
    () => designVariables({ subject, body, tags }),
    [subject, body, tags],
  )
  if (tagged.length + untagged.length + unused.length === 0 && problem === null) return null
  return (
    <section className="variables" aria-label={t('Merge variables')}>
      {untagged.length > 0 && (
        <div className="variables-row warn">
          <h2>{t('Used, but not tagged')}</h2>
          <ul>
            {untagged.map((name) => (
              <li key={name}>
                <button
                  type="button"
                  onClick={() => store.addTags(name)}
                  aria-label={t('Add the tag {name}', { name })}
                >
                  <Icon of={plus} size={14} /> {name}
                </button>
              </li>
            ))}
          </ul>
        </div>
      )}
      {unused.length > 0 && (
        <div className="variables-row">
          <h2>{t('Tagged, but not used')}</h2>
          <ul>
            {unused.map((name) => (
              <li key={name}>
                {onInsert ? (
                  <button
                    type="button"
                    onClick={() => onInsert(name)}
                    aria-label={t('Insert {variable} into the body', { variable: `{{${name}}}` })}
                  >
                    {`{{${name}}}`}
                  </button>
                ) : (
                  <code translate="no">{`{{${name}}}`}</code>
                )}
              </li>
            ))}
          </ul>
        </div>
      )}
      {tagged.length > 0 && untagged.length + unused.length === 0 && problem === null && (
        <p className="variables-fine">{t('Every merge variable has a tag.')}</p>
      )}
      {problem && (
        <p className="variables-problem" role="status">
          <Icon of={triangleAlert} size={16} />{' '}
          {t('In the {field}. {text}', { field: problem.field, text: problem.text })}
        </p>
      )}
    </section>
  )
}
