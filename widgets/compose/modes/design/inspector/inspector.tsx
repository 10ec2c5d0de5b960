import { useState } from 'react'
import { useSnapshot } from 'valtio'
import type { Block, Design } from '../../../../../contract/design/design.ts'
import { savedBlockNameMaxChars } from '../../../../../contract/design/design.limits.ts'
import { Button } from '../../../../kit/form/button.tsx'
import { Segmented } from '../../../../kit/form/segmented.tsx'
import { TextField } from '../../../../kit/form/text-field.tsx'
import { bookmark } from '../../../../kit/icon/icons.ts'
import { useText } from '../../../../kit/text/text.tsx'
import type { DesignStore } from '../design-store.ts'
import { findBlock } from '../document/find.ts'
import { kinds } from '../kinds.ts'
import { BlockFields } from './block-fields.tsx'
import { without } from './shared-fields.tsx'
import { NumberField } from './fields.tsx'
import { RowFields } from './row-fields.tsx'
import { ThemeFields } from './theme-fields.tsx'

/** The settings of what is selected, and below them the theme of the whole mail. */
export function Inspector({ store }: { store: DesignStore }) {
  const t = useText()
  const snapshot = useSnapshot(store.state, { sync: true })
  const design = snapshot.design as Design
  const { selected } = snapshot
  // The row's settings are shown until another block is selected.
  const [rowOf, setRowOf] = useState<string | null>(null)
  const tab = rowOf !== null && rowOf === selected ? 'row' : 'block'
  const found = selected === null ? null : findBlock(design, selected)
  const row = found?.row ?? design.rows.find(({ id }) => id === selected) ?? null
  const isRow = found === null || tab === 'row'
  return (
    <section className="design-inspector" aria-label={t('Settings')}>
      {found !== null && (
        <Segmented
          label={t('Settings of')}
          options={[
            { value: 'block', text: t(kinds[found.block.type].text) },
            { value: 'row', text: t('Row') },
          ]}
          value={tab}
          onValue={(next) => setRowOf(next === 'row' ? selected : null)}
        />
      )}
      {row === null && <p className="hint">{t('Select a block to change it.')}</p>}
      {found !== null && !isRow && (
        <div className="inspector-fields" key={found.block.id}>
          <BlockFields
            block={found.block}
            theme={design.theme}
            background={found.row.background ?? 'surface'}
            onPick={() => store.pickImage(found.block.id)}
            onChange={(key, change) =>
              store.update(found.block.id, key, (block) => without({ ...block, ...change }) as Block)
            }
          />
          <SpaceFields block={found.block} store={store} />
          <SaveBlock store={store} />
        </div>
      )}
      {row !== null && isRow && (
        <div className="inspector-fields" key={row.id}>
          <RowFields row={row} design={design} store={store} />
        </div>
      )}
      <ThemeFields store={store} />
    </section>
  )
}

function SpaceFields({ block, store }: { block: Block; store: DesignStore }) {
  const t = useText()
  const [above, right, below, left] = block.wide?.padding ?? block.padding ?? [0, 0, 0, 0]
  const set = (key: string, padding: [number, number, number, number]) =>
    store.update(block.id, key, (known) => {
      const { padding: _padding, ...wide } = known.wide ?? {}
      return { ...known, padding, ...(known.wide && { wide }) }
    })
  return (
    <div className="field-row">
      <NumberField
        label={t('Space above')}
        value={above}
        max={200}
        onValue={(px) => set('above', [px, right, below, left])}
      />
      <NumberField
        label={t('Space below')}
        value={below}
        max={200}
        onValue={(px) => set('below', [above, right, px, left])}
      />
    </div>
  )
}

function SaveBlock({ store }: { store: DesignStore }) {
  const t = useText()
  const [name, setName] = useState<string | null>(null)
  if (name === null)
    return (
      <Button size="small" icon={bookmark} onClick={() => setName('')}>
        {t('Save block')}
      </Button>
    )
  const save = async () => {
    if (name.trim() === '') return
    await store.saveBlock(name.trim())
    setName(null)
  }
  return (
    <div
      className="save-block"
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        event.preventDefault()
        event.stopPropagation()
        void save()
      }}
    >
      <TextField
        label={t('Name of the saved block')}
        value={name}
        maxLength={savedBlockNameMaxChars}
        autoFocus
        onValue={setName}
      />
      <Button size="small" disabled={name.trim() === ''} onClick={() => void save()}>
        {t('Save block')}
      </Button>
    </div>
  )
}
