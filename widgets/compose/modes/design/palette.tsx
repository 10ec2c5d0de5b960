import { useEffect } from 'react'
import { useSnapshot } from 'valtio'
import type { Block } from '../../../../contract/design/design.ts'
import { Icon } from '../../../kit/icon/icon.tsx'
import { columns, trash } from '../../../kit/icon/icons.ts'
import { useText } from '../../../kit/text/text.tsx'
import type { DesignStore } from './design-store.ts'
import { blockKinds, type BlockKind } from './document/new-blocks.ts'
import { kinds } from './kinds.ts'

/** What can be added: a press adds it after the selected block, a drag where the line is. */
export function Palette({
  store,
  onDrag,
}: {
  store: DesignStore
  onDrag: (event: PointerEvent, kind: BlockKind) => void
}) {
  const t = useText()
  return (
    <section className="design-palette" aria-label={t('Add a block')}>
      <h2>{t('Add a block')}</h2>
      <ul>
        {blockKinds.map((kind) => (
          <li key={kind}>
            <button
              type="button"
              onPointerDown={(event) => onDrag(event.nativeEvent, kind)}
              onClick={() => store.addNew(kind)}
            >
              <Icon of={kinds[kind].icon} />
              {t(kinds[kind].text)}
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => store.addColumns(2)}>
            <Icon of={columns} />
            {t('Columns')}
          </button>
        </li>
      </ul>
      <SavedBlocks store={store} />
    </section>
  )
}

function SavedBlocks({ store }: { store: DesignStore }) {
  const t = useText()
  const { saved, savedProblem } = useSnapshot(store.state)
  useEffect(() => {
    void store.loadSaved()
  }, [store])
  if (saved.length === 0 && savedProblem === null) return null
  return (
    <div className="saved-blocks">
      <h3>{t('Saved blocks')}</h3>
      {savedProblem !== null && <p role="alert">{savedProblem}</p>}
      <ul>
        {saved.map(({ id, name, block }) => (
          <li key={id}>
            <button type="button" onClick={() => store.addSaved(block as Block)}>
              {name}
            </button>
            <button
              type="button"
              className="saved-delete"
              aria-label={t('Delete the saved block {name}', { name })}
              onClick={() => void store.deleteSaved(id)}
            >
              <Icon of={trash} size={14} />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
